import { type Reader, rowLock, sql, type Tx } from "../../database/index.ts";
import type { Translations } from "./login-translation.ts";

/** Finds the texts of exactly one level, of the instance when the organization id is empty. */
export async function findTranslations(
  reader: Reader,
  instanceId: string,
  key: { readonly organizationId: string; readonly locale: string },
): Promise<Translations | undefined> {
  const row = await reader.maybe<{ translations: string }>(sql`select translations from login_translations
    where instance_id = ${instanceId} and organization_id = ${key.organizationId} and locale = ${key.locale}`);
  return row && (JSON.parse(row.translations) as Translations);
}

/** Like `findTranslations`; the texts are locked until the unit of work ends. */
export async function lockTranslations(
  tx: Tx,
  key: { readonly organizationId: string; readonly locale: string },
): Promise<Translations | undefined> {
  const row = await tx.maybe<{ translations: string }>(sql`select translations from login_translations
    where instance_id = ${tx.instanceId} and organization_id = ${key.organizationId} and locale = ${key.locale}
    ${rowLock(tx, "alone")}`);
  return row && (JSON.parse(row.translations) as Translations);
}

/** Replaces the texts of a level. Returns whether that changed anything. */
export async function putTranslations(
  tx: Tx,
  key: { readonly organizationId: string; readonly locale: string },
  translations: string,
): Promise<boolean> {
  const count = await tx.run(sql`insert into login_translations (instance_id, organization_id, locale, translations,
      created_at, changed_at)
    values (${tx.instanceId}, ${key.organizationId}, ${key.locale}, ${translations}, ${tx.now}, ${tx.now})
    on conflict (instance_id, organization_id, locale) do update
      set translations = excluded.translations, changed_at = excluded.changed_at
      where login_translations.translations <> excluded.translations`);
  return count > 0;
}

/** Removes the texts of a level. Returns whether there were any. */
export async function deleteTranslations(
  tx: Tx,
  key: { readonly organizationId: string; readonly locale: string },
): Promise<boolean> {
  const count = await tx.run(sql`delete from login_translations where instance_id = ${tx.instanceId}
    and organization_id = ${key.organizationId} and locale = ${key.locale}`);
  return count > 0;
}

/** Removes the login texts of an organization that is being deleted. */
export async function deleteTranslationsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx.run(sql`delete from login_translations
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}`);
}
