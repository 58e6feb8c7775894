import type { Details, Tx } from "../../database/index.ts";
import { recordInstanceEvent } from "../instance/index.ts";
import { recordOrganizationEvent } from "../organization/index.ts";
import { deleteTranslations, putTranslations } from "./login-translation.store.ts";
import { type Translations, tagOf } from "./login-translation.ts";

/**
 * Step: replaces the texts of a level in a language; empty texts remove them. Returns undefined when nothing changed.
 */
export async function writeTranslations(
  tx: Tx,
  key: { readonly organizationId: string; readonly locale: string },
  translations: Translations,
): Promise<Details | undefined> {
  const isEmpty = Object.keys(translations).length === 0;
  const isChanged = isEmpty
    ? await deleteTranslations(tx, key)
    : await putTranslations(tx, key, JSON.stringify(translations));
  if (!isChanged) return undefined;
  const payload = { locale: key.locale, etag: tagOf(translations) };
  return key.organizationId === ""
    ? recordInstanceEvent(tx, { type: "instance.login_translation.set", payload })
    : recordOrganizationEvent(tx, key.organizationId, { type: "organization.login_translation.set", payload });
}
