import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { authorizeSettings } from "../settings/index.ts";
import { deleteStoredMessageText, type MessageTextKey } from "./message-text.store.ts";
import type { MessageTextKind } from "./message-text.ts";
import { readOwnerDetails, recordMessageText } from "./record-message-text.ts";
import { requireMessageLanguage } from "./requested-language.ts";

/**
 * Makes the instance or an organization inherit the text of a message again. If it inherits it already, nothing
 * changes.
 */
export async function resetMessageText(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly kind: MessageTextKind; readonly language: string; readonly organizationId?: string | undefined },
): Promise<Details> {
  const { kind, organizationId = "" } = input;
  return deps.database.change(call, async (tx) => {
    await authorizeSettings(tx, call, organizationId, "delete");
    return forgetMessageText(tx, { organizationId, kind, language: requireMessageLanguage(input.language) });
  });
}

/** Step: removes the text that an organization or the instance sets itself. */
export async function forgetMessageText(tx: Tx, key: MessageTextKey): Promise<Details> {
  const isGone = await deleteStoredMessageText(tx, key);
  return isGone ? recordMessageText(tx, key, { what: "reset" }) : readOwnerDetails(tx, key);
}
