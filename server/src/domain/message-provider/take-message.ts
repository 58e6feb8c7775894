import { hash } from "node:crypto";
import { blockOf } from "../../base/budget/network-of.ts";
import { Fault } from "../../base/fault.ts";
import { mailboxOf } from "../../base/names/mailbox-of.ts";
import { type Call, isLoginClient } from "../../call/index.ts";
import { findRestoredAt, type Tx, takeFromBudget } from "../../database/index.ts";
import type { BudgetChannel, BudgetPurpose, MessageBudget, MessageBudgets } from "./message-budgets.ts";

export interface TakenMessage {
  readonly channel: BudgetChannel;
  readonly purpose: BudgetPurpose;
  /** Address or number. */
  readonly recipient: string;
  readonly userId: string;
  /** The organization whose users get the message: what one uses up does not count for the others. */
  readonly organizationId: string;
  /** Of a notice: what it is about. */
  readonly kind?: string;
  /**
   * The caller named the user, not the recipient. It counts apart for the recipient: otherwise what is left for an
   * address would tell whose it is.
   */
  readonly namesUser?: boolean;
}

type BudgetDeps = { readonly messageBudgets: Pick<MessageBudgets, "of" | "refused"> };

/**
 * Step: takes a message from the budgets of its purpose, of recipient, user, organization and instance. Throws the
 * Fault `message.too_many` when one of them has none left, and the unit of work takes back what it took from the
 * others.
 */
export async function takeMessage(tx: Tx, deps: BudgetDeps, message: TakenMessage): Promise<void> {
  const spent = await takeOrWait(tx, deps, message);
  if (spent !== undefined) throw tooManyMessages(spent);
}

/** Returns the Fault `message.too_many` of a budget. */
export const tooManyMessages = ({ wait }: SpentBudget): Fault =>
  new Fault("resource_exhausted", "message.too_many", { values: { seconds: Math.ceil(wait / 1000) } });

type BudgetRow = Parameters<typeof takeFromBudget>[1];

/** A budget that has none left, and the milliseconds until it has one again. */
export interface SpentBudget {
  readonly name: MessageBudget["name"];
  readonly wait: number;
  /** Of the caller's own source: it reveals nothing of what others asked for. */
  readonly isOfSource: boolean;
  /** Others, who had none in a day, may still have some. */
  readonly hasReserve: boolean;
}

/**
 * Step: the same for a message that can wait. Returns the budget that has none left; then the others keep what was
 * taken from them before.
 */
export async function takeOrWait(
  tx: Tx,
  { messageBudgets }: BudgetDeps,
  message: TakenMessage,
): Promise<SpentBudget | undefined> {
  const isShared = isOfStranger(tx.call, message);
  let first: BudgetRow | undefined;
  let leavesReserve = false;
  // From the narrowest to the widest: the row that all transactions share is held for the shortest time.
  for (const budget of messageBudgets.of(message.channel, message.purpose)) {
    if (budget.isOfStrangers === true && !isShared) continue;
    const taken: BudgetRow = { ...toRow(tx.call, budget, message), ...toCosts(budget, { leavesReserve }) };
    if (budget.opensReserve === true) {
      // The rows before it are held by now, so that of concurrent requests of a source only one is the first.
      leavesReserve = ((await findRestoredAt(tx, taken)) ?? 0) > tx.now;
      first = leavesReserve ? undefined : taken;
      continue;
    }
    if (await takeFromBudget(tx, taken)) continue;
    messageBudgets.refused(budget.name);
    const restoredAt = (await findRestoredAt(tx, taken)) ?? tx.now;
    const wait = Math.max(1000, restoredAt + taken.cost - taken.allowance - tx.now);
    return { name: budget.name, wait, isOfSource: budget.isOfStrangers === true, hasReserve: leavesReserve };
  }
  // Only now: a source that was sent nothing has had none.
  if (first !== undefined) await takeFromBudget(tx, first);
  return undefined;
}

/**
 * Whether a source has only a share of what the recipient and the organization get: anyone may have accounts, and enter
 * addresses of other persons in them. Administrators of the organization may use all that it has; a sign-in application
 * asks for many users from one source.
 */
function isOfStranger({ caller, source }: Call, { organizationId }: TakenMessage): boolean {
  if (source === undefined) return false;
  if (caller === undefined) return true;
  return !isLoginClient(caller.access) && !caller.access.allows("user.write", { organizationId });
}

function toRow(
  { source = "" }: Pick<Call, "source">,
  { name, period, opensReserve }: MessageBudget,
  { channel, purpose, kind = "", namesUser = false, ...whose }: TakenMessage,
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
    messages_of_block: () => blockOf(source),
    messages_of_user: () => (kind === "" || opensReserve === true ? whose.userId : `${whose.userId} ${kind}`),
    messages_of_organization: () => whose.organizationId,
    messages_of_instance: () => "",
  }[name]();
  const counted = purpose === "test" ? "code" : purpose;
  const word = namesUser && name.startsWith("messages_of_recipient") ? `${counted}_of_known_user` : counted;
  return { budget: `${name} ${channel} ${opensReserve === true ? `first_${word}` : word} ${period}`, subject };
}

const toCosts = (
  { most, period, reserve = 0 }: MessageBudget,
  { leavesReserve }: { readonly leavesReserve: boolean },
) => {
  const cost = Math.ceil(period / most);
  return { cost, allowance: cost * (leavesReserve ? most - reserve : most) };
};
