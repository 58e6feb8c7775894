import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { authorizeSettings } from "../settings/index.ts";
import type { BuiltInTexts } from "./built-in-texts.ts";
import { findMessageText, partsOf, toDetails } from "./find-message-text.ts";
import { listStoredMessageTexts } from "./message-text.store.ts";
import { type EffectiveMessageText, type MessageText, type MessageTextKind, messageTextParts } from "./message-text.ts";
import { chooseMessageLanguage } from "./requested-language.ts";

export interface MessageTextDeps {
  readonly database: Database;
  readonly builtInTexts: BuiltInTexts;
}

export interface GetMessageText {
  readonly kind: MessageTextKind;
  /** BCP 47 tag; for an unsupported one, the default language of the instance is used. */
  readonly language: string;
  /** The organization; the instance itself when absent. */
  readonly organizationId?: string | undefined;
}

/** A text with the details of its owner, or of the instance when it is built in. */
export type ShownMessageText = EffectiveMessageText & { readonly details: Details };

/**
 * Returns the text that the instance or an organization sets itself, as it was set, for callers who may read settings
 * there. Parts that it inherits are empty.
 */
export async function getOwnMessageText(
  deps: MessageTextDeps,
  call: Call,
  input: GetMessageText,
): Promise<ShownMessageText> {
  const { read } = deps.database;
  await authorizeSettings(read, call, input.organizationId ?? "", "read");
  const { instanceId } = call;
  const language = await chooseMessageLanguage(read, instanceId, input.language);
  const { organizationId = "", kind } = input;
  const rows = await listStoredMessageTexts(read, instanceId, { organizationId, kind, language });
  const own = rows.find((row) => row.organizationId === organizationId);
  return {
    text: { ...emptyText, ...partsOf(own) },
    isDefault: own === undefined,
    details: own === undefined ? await detailsOfInstance(deps, instanceId) : toDetails(own, instanceId),
  };
}

const emptyText = Object.fromEntries(messageTextParts.map((part) => [part, ""])) as MessageText;

/**
 * Returns the text that would be effective if the organization or instance set none itself: the instance's, or the
 * built-in one.
 */
export async function getDefaultMessageText(
  deps: MessageTextDeps,
  call: Call,
  input: GetMessageText,
): Promise<ShownMessageText> {
  const { read } = deps.database;
  await authorizeSettings(read, call, input.organizationId ?? "", "read");
  const { instanceId } = call;
  const language = await chooseMessageLanguage(read, instanceId, input.language);
  const found =
    input.organizationId === undefined
      ? { text: deps.builtInTexts.get(language, input.kind), details: undefined }
      : await findMessageText(read, deps.builtInTexts, { instanceId }, { kind: input.kind, language });
  return { ...found, isDefault: true, details: found.details ?? (await detailsOfInstance(deps, instanceId)) };
}

// Built-in texts exist as long as the instance, and never change.
async function detailsOfInstance({ database }: MessageTextDeps, instanceId: string): Promise<Details> {
  const createdAt = (await findInstance(database.read, instanceId))?.details.createdAt ?? 0;
  return { sequence: 0, createdAt, changedAt: createdAt, ownerId: instanceId };
}
