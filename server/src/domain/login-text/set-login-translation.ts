import { authorize, type Call, requirePermission } from "../../call/index.ts";
import { holdOrganization } from "../organization/index.ts";
import { findKnownTexts } from "./built-in-texts.ts";
import type { LoginTranslationDeps } from "./get-login-translation.ts";
import { parseLocale, parseTranslations, tagOf } from "./login-translation.ts";
import { checkWords } from "./login-words.ts";
import { writeTranslations } from "./write-translations.ts";

/**
 * Replaces the texts of the instance (an empty id) or of an organization in a language; empty texts remove them.
 * Refuses texts of our own pages with placeholders that those do not fill.
 */
export function setLoginTranslation(
  deps: LoginTranslationDeps,
  call: Call,
  input: { readonly organizationId: string; readonly locale: string; readonly translations: unknown },
): Promise<{ readonly etag: string }> {
  const { organizationId } = input;
  const translations = parseTranslations(input.translations);
  checkWords(translations, findKnownTexts(deps));
  const key = { organizationId, locale: parseLocale(input.locale) };
  return deps.database.change(call, async (tx) => {
    requirePermission(call, "iam.policy.write", {});
    if (organizationId !== "") {
      authorize(call, await holdOrganization(tx, organizationId), {
        permission: "iam.policy.write",
        readPermission: "org.read",
        absent: "organization.not_found",
      });
    }
    await writeTranslations(tx, key, translations);
    return { etag: tagOf(translations) };
  });
}
