import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { type MessageBudgets, type TakenMessage, takeOrWait, tooManyMessages } from "../message-provider/index.ts";

/** Whether a message was refused because its recipient, user, organization or instance has had too many. */
const isTooMany = (error: unknown): boolean => error instanceof Fault && error.id === "message.too_many";

/**
 * Step: takes a message from the budgets for a caller who must not learn whether there is a user to send it to. False
 * when there were too many. Throws the Fault `message.too_many` when the caller's own source has asked too often, which
 * reveals nothing of others.
 */
export async function payForMessage(
  tx: Tx,
  deps: { readonly messageBudgets: MessageBudgets },
  message: TakenMessage,
): Promise<boolean> {
  const spent = await takeOrWait(tx, deps, message);
  if (spent?.isOfSource === true) throw tooManyMessages(spent);
  return spent === undefined;
}

/**
 * Runs a unit of work that sends a message for a caller who must not learn whether there is a user to send it to. Where
 * there were too many messages already nothing happens: the former code stays, and the answer is the same.
 */
export async function quietly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isTooMany(error)) throw error;
  }
}
