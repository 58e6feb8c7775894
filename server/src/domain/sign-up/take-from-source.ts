import type { Tx } from "../../database/index.ts";
import { type MessageBudgets, takeMessage } from "../message-provider/index.ts";

/**
 * Step: takes a message about a new account from what its source may ask for. Throws the Fault `message.too_many`, and
 * the user may read it: it reveals only this source's own requests, nothing about the address or other requests.
 */
export const takeFromSource = (
  tx: Tx,
  deps: { readonly messageBudgets: MessageBudgets },
  message: { readonly recipient: string; readonly organizationId: string },
): Promise<void> => takeMessage(tx, deps, { ...message, userId: "", channel: "email", purpose: "sign_up" });
