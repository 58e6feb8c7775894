import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../base/fault.ts";
import { authorOf, type Call, formatAuthor } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { authorizeSettings } from "../settings/index.ts";
import { hasCodeInAddress } from "./code-in-address.ts";
import { partsOf, toDetails } from "./find-message-text.ts";
import { lockStoredMessageText, type MessageTextKey, putStoredMessageText } from "./message-text.store.ts";
import { type MessageTextKind, type MessageTextPart, messageTextParts, type OwnMessageText } from "./message-text.ts";
import { checkPlaceholders } from "./placeholders.ts";
import { recordMessageText } from "./record-message-text.ts";
import { requireMessageLanguage } from "./requested-language.ts";
import { forgetMessageText } from "./reset-message-text.ts";

export interface SetMessageText {
  readonly kind: MessageTextKind;
  readonly language: string;
  /** The organization that sets the text; the instance itself when absent. */
  readonly organizationId?: string | undefined;
  /** All parts of the text: an empty or absent part is inherited. */
  readonly parts: OwnMessageText;
}

/**
 * Replaces the text that the instance or an organization sets for a message. The current text changes nothing; no parts
 * at all is a reset. Texts of an organization have no code in an address, because the codes are for its users alone,
 * and are sent to those of them who administer no more than the caller, who answers for the whole text.
 */
export async function setMessageText(
  deps: { readonly database: Database },
  call: Call,
  { kind, organizationId = "", ...input }: SetMessageText,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    await authorizeSettings(tx, call, organizationId, "write");
    const language = requireMessageLanguage(input.language);
    const parts = parseMessageParts({ kind, organizationId, parts: input.parts });
    const key = { organizationId, kind, language };
    return Object.keys(parts).length === 0 ? forgetMessageText(tx, key) : write(tx, key, parts);
  });
}

/**
 * Returns the parts of a text that are not empty. Refuses placeholders that the kind does not have and, in texts of an
 * organization, codes in addresses.
 */
export function parseMessageParts({
  kind,
  organizationId,
  parts: given,
}: Pick<SetMessageText, "kind" | "parts"> & { readonly organizationId: string }): OwnMessageText {
  const parts: Partial<Record<MessageTextPart, string>> = {};
  for (const part of messageTextParts) {
    const words = given[part];
    if (words === undefined || words === "") continue;
    checkPlaceholders(kind, part, words);
    parts[part] = words;
  }
  if (organizationId !== "") refuseCodesInAddresses(parts);
  return parts;
}

// Of the instance's administrators, who decide where links lead anyway, no such text needs to be feared.
function refuseCodesInAddresses(parts: OwnMessageText): void {
  const field = messageTextParts.find((part) => hasCodeInAddress(parts[part] ?? ""));
  if (field !== undefined) throw new Fault("invalid_argument", "message_text.code_in_address", { field });
}

async function write(tx: Tx, key: MessageTextKey, parts: OwnMessageText): Promise<Details> {
  const stored = await lockStoredMessageText(tx, key);
  const author = formatAuthor(authorOf(tx.call));
  const isAnswered = key.organizationId === "" || stored?.author === author;
  if (stored !== undefined && isAnswered && isDeepStrictEqual(partsOf(stored), parts)) {
    return toDetails(stored, tx.instanceId);
  }
  const { sequence } = await recordMessageText(tx, key, { what: "set", parts });
  const row = { ...key, parts: JSON.stringify(parts), author, sequence };
  return toDetails(await putStoredMessageText(tx, row), tx.instanceId);
}
