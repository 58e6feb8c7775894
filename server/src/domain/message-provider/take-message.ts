import { hash } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import { findRestoredAt, type Tx, takeFromBudget } from "../../database/index.ts";
import type { BudgetChannel, BudgetPurpose, MessageBudget, MessageBudgets } from "./message-budgets.ts";

export interface TakenMessage {
  readonly channel: BudgetChannel;
  readonly purpose: BudgetPurpose;
  /** Address or number. */
  readonly recipient: string;
  readonly userId: string;
  readonly organizationId: string;
}

/**
 * Step: takes a message from the budgets of its recipient, user, organization and instance. Throws the Fault
 * `message.too_many` when one of them has none left, and the unit of work takes back what it took from the others.
 */
export async function takeMessage(
  tx: Tx,
  { messageBudgets }: { readonly messageBudgets: MessageBudgets },
  message: TakenMessage,
): Promise<void> {
  // From the narrowest to the widest: the row that all transactions share is held for the shortest time.
  for (const budget of messageBudgets.of(message.channel, message.purpose)) {
    const taken = { ...toRow(budget, message), ...toCosts(budget) };
    if (await takeFromBudget(tx, taken)) continue;
    messageBudgets.refused(budget.name);
    const restoredAt = (await findRestoredAt(tx, taken)) ?? tx.now;
    const wait = Math.max(1000, restoredAt + taken.cost - taken.allowance - tx.now);
    throw new Fault("resource_exhausted", "message.too_many", { values: { seconds: Math.ceil(wait / 1000) } });
  }
}

function toRow({ name, period }: MessageBudget, { channel, purpose, ...whose }: TakenMessage) {
  const subject = {
    // The address itself is nowhere but with the user and in the outbox.
    messages_of_recipient: () => hash("sha256", whose.recipient.trim().toLowerCase(), "base64url"),
    messages_of_user: () => whose.userId,
    messages_of_organization: () => whose.organizationId,
    messages_of_instance: () => "",
  }[name]();
  return { budget: `${name} ${channel} ${purpose === "notice" ? "notice" : "code"} ${period}`, subject };
}

const toCosts = ({ most, period }: MessageBudget) => {
  const cost = Math.ceil(period / most);
  return { cost, allowance: cost * most };
};
