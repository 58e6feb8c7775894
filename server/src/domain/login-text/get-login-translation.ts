import { Fault } from "../../base/fault.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { Texts } from "../../text/index.ts";
import { findOrganization } from "../organization/index.ts";
import { findBuiltInTexts } from "./built-in-texts.ts";
import { findTranslations } from "./login-translation.store.ts";
import {
  mergeTranslations,
  parseLocale,
  type TaggedTranslations,
  type Translations,
  tagOf,
} from "./login-translation.ts";

/** The level of texts: those of the product, of the instance, or of an organization. */
export type TranslationLevel =
  | { readonly level: "system" }
  | { readonly level: "instance" }
  | { readonly level: "organization"; readonly organizationId: string };

export interface LoginTranslationDeps {
  readonly database: Database;
  readonly texts: Pick<Texts, "all">;
}

/**
 * Returns the texts of a level in a language, merged over those of the levels above it unless only its own are asked
 * for.
 */
export async function getLoginTranslation(
  deps: LoginTranslationDeps,
  call: Call,
  input: TranslationLevel & { readonly locale: string; readonly ignoreInheritance: boolean },
): Promise<TaggedTranslations> {
  requirePermission(call, "iam.policy.read", {});
  const { read } = deps.database;
  const locale = parseLocale(input.locale);
  if (input.level === "organization") await requireOrganization(deps, call, input.organizationId);
  const organizationIds = input.level === "organization" ? ["", input.organizationId] : [""];
  const levels: Translations[] = [findBuiltInTexts(deps, locale)];
  if (input.level !== "system") {
    for (const organizationId of organizationIds) {
      levels.push((await findTranslations(read, call.instanceId, { organizationId, locale })) ?? {});
    }
  }
  const own = levels.at(-1) ?? {};
  const translations = input.ignoreInheritance ? own : levels.reduce(mergeTranslations);
  return { translations, etag: tagOf(translations) };
}

/** Refuses an organization that does not exist. */
async function requireOrganization(
  { database }: Pick<LoginTranslationDeps, "database">,
  call: Call,
  organizationId: string,
): Promise<void> {
  if ((await findOrganization(database.read, call.instanceId, organizationId)) !== undefined) return;
  throw new Fault("not_found", "organization.not_found", { field: "organizationId" });
}
