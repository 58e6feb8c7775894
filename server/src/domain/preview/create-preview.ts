import { deflateRawSync } from "node:zlib";
import { Fault } from "../../base/fault.ts";
import type { Vault } from "../../base/vault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { Texts } from "../../text/index.ts";
import type { WantedLook } from "../branding/index.ts";
import { checkPageTexts, requireLanguage } from "../login-text/index.ts";
import { parseMessageParts } from "../message-text/index.ts";
import { authorizeSettings, checkBrandingSettings } from "../settings/index.ts";
import { sealContext } from "./open-preview.ts";
import type { Preview, PreviewedMessage, PreviewedPage } from "./preview.ts";

export interface PreviewDeps {
  readonly database: Database;
  readonly vault: Pick<Vault, "encrypt">;
  readonly texts: Pick<Texts, "all">;
}

export interface CreatePreview extends WantedLook {
  readonly language: string;
  readonly subject: PreviewedPage | PreviewedMessage;
}

// Proxies accept addresses of 8 kB.
const longest = 7_000;

/**
 * Describes a preview for a caller who may read the settings of the level, and seals the description. Texts are checked
 * as they are when they are saved.
 */
export async function createPreview(deps: PreviewDeps, call: Call, input: CreatePreview): Promise<string> {
  const { organizationId, look } = input;
  await authorizeSettings(deps.database.read, call, organizationId, "read");
  if (look !== undefined) checkBrandingSettings(look);
  const subject = checkSubject(deps, organizationId, input.subject);
  const preview: Preview = { ...input, subject, language: requireLanguage(input.language) };
  const content = JSON.stringify({ ...preview, userId: requireCaller(call).userId, createdAt: call.now });
  const packed = deflateRawSync(content).toString("base64url");
  const sealed = deps.vault.encrypt(packed, sealContext(call.instanceId));
  if (sealed.length > longest) throw new Fault("invalid_argument", "settings.preview_too_long");
  return sealed;
}

/** Refuses texts of a preview that could not be saved. */
export function checkSubject<Subject extends Preview["subject"]>(
  deps: Pick<PreviewDeps, "texts">,
  organizationId: string,
  subject: Subject,
): Subject {
  if (subject.kind === "page") {
    checkPageTexts(deps, { organizationId, texts: new Map(Object.entries(subject.texts)) });
    return subject;
  }
  const { message: kind, parts } = subject;
  return { ...subject, parts: parts && parseMessageParts({ kind, organizationId, parts }) };
}
