import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { authorizeSettings } from "../settings/index.ts";
import type { BuiltInTexts } from "./built-in-texts.ts";
import { findMessageText } from "./find-message-text.ts";
import type { EffectiveMessageText, MessageTextKind } from "./message-text.ts";
import { chooseMessageLanguage } from "./requested-language.ts";

export interface MessageTextDeps {
  readonly database: Database;
  readonly builtInTexts: BuiltInTexts;
}

export interface GetMessageText {
  readonly kind: MessageTextKind;
  /** BCP 47 tag; one that nobody translated is answered in the default language of the instance. */
  readonly language: string;
  /** The organization that is asked; the instance itself when not given. */
  readonly organizationId?: string | undefined;
}

/** Words with the details of who set them, or of the instance when they are built in. */
export type ShownMessageText = EffectiveMessageText & { readonly details: Details };

/** The words that hold in the instance or in an organization, for who may read settings there. */
export async function getMessageText(
  deps: MessageTextDeps,
  call: Call,
  input: GetMessageText,
): Promise<ShownMessageText> {
  const { read } = deps.database;
  await authorizeSettings(read, call, input.organizationId ?? "", "read");
  const { instanceId } = call;
  const language = await chooseMessageLanguage(read, instanceId, input.language);
  const { organizationId, kind } = input;
  const found = await findMessageText(read, deps.builtInTexts, { instanceId, organizationId }, { kind, language });
  return { ...found, details: found.details ?? (await detailsOfInstance(deps, instanceId)) };
}

/** The words that would hold without those of the place itself: of the instance for an organization, the built-in ones for the instance. */
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

// Built-in words are there as long as the instance is, and nobody ever changed them.
async function detailsOfInstance({ database }: MessageTextDeps, instanceId: string): Promise<Details> {
  const createdAt = (await findInstance(database.read, instanceId))?.details.createdAt ?? 0;
  return { sequence: 0, createdAt, changedAt: createdAt, ownerId: instanceId };
}
