import type { Tx } from "../../database/index.ts";
import { type MessageBudgets, noteFirstMessage, refuseReserve } from "../message-provider/index.ts";
import { takeFromSource } from "./take-from-source.ts";

/**
 * Step: the same as `takeFromSource` for an account that is made at once, whose message is taken from the budgets of its
 * recipient when it is queued. A source that had one today leaves the last ones to others.
 */
export async function takeForNewAccount(
  tx: Tx,
  deps: { readonly messageBudgets: MessageBudgets },
  recipient: { readonly recipient: string; readonly organizationId: string },
): Promise<void> {
  const message = { ...recipient, userId: "", channel: "email", purpose: "code" } as const;
  await takeFromSource(tx, deps, message);
  if (!(await noteFirstMessage(tx, deps, message))) await refuseReserve(tx, deps, message);
}
