import type { Language } from "../../base/language.ts";
import { type Author, parseAuthor } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import type { BuiltInTexts } from "./built-in-texts.ts";
import { hasCodeInAddress } from "./code-in-address.ts";
import { listStoredMessageTexts, type StoredMessageText } from "./message-text.store.ts";
import type { BuiltInTextKind, EffectiveMessageText, MessageTextScope, OwnMessageText } from "./message-text.ts";

interface WantedText {
  readonly kind: BuiltInTextKind;
  readonly language: Language;
}

/**
 * Step: returns the effective text in a language, part by part: the organization's, otherwise the instance's, otherwise
 * the built-in one.
 */
export async function findMessageText(
  reader: Reader,
  builtInTexts: BuiltInTexts,
  scope: MessageTextScope,
  message: WantedText,
): Promise<EffectiveMessageText> {
  const { instanceId, organizationId = "" } = scope;
  const rows = await listStoredMessageTexts(reader, instanceId, { organizationId, ...message });
  return effectiveText(builtInTexts, scope, message, rows);
}

/**
 * Step: returns the text of a message to a user. The words of an organization reach those whom `isGoodAuthor` lets
 * their author write to: to others they could hide a change of the account, or ask for the code.
 */
export async function findMessageTextFor(
  reader: Reader,
  builtInTexts: BuiltInTexts,
  scope: MessageTextScope & { readonly isGoodAuthor: (author: Author) => Promise<boolean> },
  message: WantedText,
): Promise<EffectiveMessageText["text"]> {
  const { instanceId, organizationId = "" } = scope;
  const rows = await listStoredMessageTexts(reader, instanceId, { organizationId, ...message });
  const own = rows.find((row) => row.organizationId !== "");
  const isOwn = own === undefined || (await scope.isGoodAuthor(parseAuthor(own.author)));
  return effectiveText(builtInTexts, scope, message, isOwn ? rows : rows.filter((row) => row !== own)).text;
}

function effectiveText(
  builtInTexts: BuiltInTexts,
  { instanceId, organizationId = "" }: MessageTextScope,
  message: WantedText,
  rows: readonly StoredMessageText[],
): EffectiveMessageText {
  const ofInstance = rows.find((row) => row.organizationId === "");
  const ofOrganization = organizationId === "" ? undefined : rows.find((row) => row.organizationId !== "");
  const nearest = ofOrganization ?? ofInstance;
  return {
    text: {
      ...builtInTexts.get(message.language, message.kind),
      ...partsOf(ofInstance),
      ...harmlessOf(partsOf(ofOrganization)),
    },
    isDefault: (organizationId === "" ? ofInstance : ofOrganization) === undefined,
    details: nearest && toDetails(nearest, instanceId),
  };
}

// Earlier versions took texts with a code in an address from organizations.
const harmlessOf = (parts: OwnMessageText): OwnMessageText =>
  Object.fromEntries(Object.entries(parts).filter(([, words]) => !hasCodeInAddress(words)));

/** Returns the parts that a row sets. */
export const partsOf = (row: StoredMessageText | undefined): OwnMessageText =>
  row === undefined ? {} : (JSON.parse(row.parts) as OwnMessageText);

/** Returns the details of a stored text. */
export const toDetails = (
  { organizationId, sequence, createdAt, changedAt }: StoredMessageText,
  instanceId: string,
) => ({
  sequence,
  createdAt,
  changedAt,
  ownerId: organizationId || instanceId,
});
