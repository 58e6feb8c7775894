import type { Tx } from "../../database/index.ts";
import { updateLoginNames, updateLoginNamesApart } from "./login-name-rule.store.ts";
import { type NamedOrganization, readRule, refuseCollision } from "./read-rule.ts";

/**
 * Step: forms the login names of users of an organization again, which is held, because another organization has proven
 * the domain of their names. Refused when two users would have the same login name, unless there is a text to tell
 * theirs `apart`.
 */
export async function renameUsers(
  tx: Tx,
  organization: NamedOrganization,
  { userIds, apart }: { readonly userIds: readonly string[]; readonly apart?: string | undefined },
): Promise<void> {
  const rule = await readRule(tx, organization);
  if (apart === undefined) await updateLoginNames(tx, rule, userIds).catch(refuseCollision);
  else await updateLoginNamesApart(tx, rule, userIds, apart);
}
