import { authorize, type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { recordInstanceEvent } from "../instance/index.ts";
import { holdOrganization, recordOrganizationEvent } from "../organization/index.ts";
import { deleteTranslations, putTranslations } from "./login-translation.store.ts";
import { parseLocale, parseTranslations, tagOf } from "./login-translation.ts";

/** Replaces the texts of the instance (an empty id) or of an organization in a language; none at all removes them. */
export function setLoginTranslation(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly organizationId: string; readonly locale: string; readonly translations: unknown },
): Promise<{ readonly etag: string }> {
  const { organizationId } = input;
  const translations = parseTranslations(input.translations);
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
    const isEmpty = Object.keys(translations).length === 0;
    const etag = tagOf(translations);
    const isChanged = isEmpty
      ? await deleteTranslations(tx, key)
      : await putTranslations(tx, key, JSON.stringify(translations));
    if (!isChanged) return { etag };
    const payload = { locale: key.locale, etag };
    if (organizationId === "") await recordInstanceEvent(tx, { type: "instance.login_translation.set", payload });
    else await recordOrganizationEvent(tx, organizationId, { type: "organization.login_translation.set", payload });
    return { etag };
  });
}
