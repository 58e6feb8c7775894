import { hash } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import { blockOf } from "../../base/network-of.ts";
import type { Call } from "../../call/index.ts";
import { findRestoredAt, type Tx, takeFromBudget } from "../../database/index.ts";
import { mailboxOf } from "./mailbox-of.ts";
import type { BudgetChannel, BudgetPurpose, MessageBudget, MessageBudgets } from "./message-budgets.ts";

export interface TakenMessage {
  readonly channel: BudgetChannel;
  readonly purpose: BudgetPurpose;
  /** Address or number. */
  readonly recipient: string;
  readonly userId: string;
  /** The organization whose users get the message: what one uses up does not count for the others. */
  readonly organizationId: string;
  /** Of a notice: what it tells. */
  readonly kind?: string;
  /** Whether it leaves the reserve of the recipient to others. */
  readonly leavesReserve?: boolean;
}

type BudgetDeps = { readonly messageBudgets: Pick<MessageBudgets, "of" | "refused"> };

/**
 * Step: takes a message from the budgets of its purpose, of recipient, user, organization and instance. Throws the Fault
 * `message.too_many` when one of them has none left, and the unit of work takes back what it took from the others.
 */
export async function takeMessage(tx: Tx, deps: BudgetDeps, message: TakenMessage): Promise<void> {
  const spent = await takeOrWait(tx, deps, message);
  if (spent !== undefined) throw tooMany(spent.wait);
}

const tooMany = (wait: number): Fault =>
  new Fault("resource_exhausted", "message.too_many", { values: { seconds: Math.ceil(wait / 1000) } });

/** A budget that has none left, and the milliseconds until it has one again. */
export interface SpentBudget {
  readonly name: MessageBudget["name"];
  readonly wait: number;
}

/**
 * Step: the same for a message that can wait. Returns the budget that has none left; then the others keep what was taken
 * from them before.
 */
export async function takeOrWait(
  tx: Tx,
  { messageBudgets }: BudgetDeps,
  message: TakenMessage,
): Promise<SpentBudget | undefined> {
  // From the narrowest to the widest: the row that all transactions share is held for the shortest time.
  for (const budget of messageBudgets.of(message.channel, message.purpose)) {
    const taken = { ...toRow(tx.call, budget, message), ...toCosts(budget, message) };
    if (await takeFromBudget(tx, taken)) continue;
    messageBudgets.refused(budget.name);
    const restoredAt = (await findRestoredAt(tx, taken)) ?? tx.now;
    return { name: budget.name, wait: Math.max(1000, restoredAt + taken.cost - taken.allowance - tx.now) };
  }
  return undefined;
}

/**
 * Step: throws the same Fault for a message that would be taken from what is kept for sources that had none in a day. For
 * a message that is taken later in the unit of work.
 */
export async function refuseReserve(tx: Tx, { messageBudgets }: BudgetDeps, message: TakenMessage): Promise<void> {
  for (const budget of messageBudgets.of(message.channel, message.purpose)) {
    if (budget.reserve === undefined) continue;
    const { cost, allowance } = toCosts(budget, { leavesReserve: true });
    const restoredAt = (await findRestoredAt(tx, toRow(tx.call, budget, message))) ?? tx.now;
    const wait = restoredAt + cost - allowance - tx.now;
    if (wait <= 0) continue;
    messageBudgets.refused(budget.name);
    throw tooMany(wait);
  }
}

/** Step: notes that the source causes a message to the recipient. Returns whether it is its first in a day. */
export async function noteFirstMessage(
  tx: Tx,
  { messageBudgets }: BudgetDeps,
  message: TakenMessage,
): Promise<boolean> {
  const first = { ...message, purpose: "sign_up_first" } as const;
  const [budget] = messageBudgets.of(message.channel, first.purpose);
  return budget === undefined || (await takeFromBudget(tx, { ...toRow(tx.call, budget, first), ...toCosts(budget) }));
}

function toRow(
  { source = "" }: Pick<Call, "source">,
  { name, period }: MessageBudget,
  { channel, purpose, kind = "", ...whose }: TakenMessage,
) {
  // Whatever stands after "+", one reader gets it.
  const mailbox = mailboxOf(whose.recipient);
  const subject = {
    // In all organizations: the owner, who comes from elsewhere, loses nothing by it.
    messages_of_recipient_by_source: () => hash("sha256", `${mailbox}\n${blockOf(source)}`, "base64url"),
    // The address itself is nowhere but with the user and in the outbox. Each organization has a share of it: otherwise
    // the messages of one could keep a user from those of another.
    messages_of_recipient: () => hash("sha256", `${whose.organizationId} ${mailbox}`, "base64url"),
    messages_of_source: () => source,
    messages_of_user: () => (kind === "" ? whose.userId : `${whose.userId} ${kind}`),
    messages_of_organization: () => whose.organizationId,
    messages_of_instance: () => "",
  }[name]();
  return { budget: `${name} ${channel} ${purpose === "test" ? "code" : purpose} ${period}`, subject };
}

const toCosts = (
  { most, period, reserve = 0 }: MessageBudget,
  { leavesReserve = false }: Pick<TakenMessage, "leavesReserve"> = {},
) => {
  const cost = Math.ceil(period / most);
  return { cost, allowance: cost * (leavesReserve ? most - reserve : most) };
};
