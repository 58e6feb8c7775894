import type { Tx } from "../../database/index.ts";
import { findOwnerOfDomain, type Organization } from "../organization/index.ts";
import { readSettings } from "../settings/index.ts";
import type { Identifier } from "./identifier.ts";
import { toNames } from "./login-name.ts";

/** Step: returns the names of a user of an organization, which is held, as the settings require. */
export async function formNames(tx: Tx, organization: Organization, username: Identifier) {
  const { organizationId, primaryDomain } = organization;
  const { settings } = await readSettings(tx, "domain", { instanceId: tx.instanceId, organizationId });
  const isBare = !settings.loginNameIncludesDomain && !(await isOfAnother(tx, organizationId, username));
  return toNames(username, primaryDomain, isBare);
}

// A name in the domain of an organization means a user of that organization only, so it is no login name in any other.
async function isOfAnother(tx: Tx, organizationId: string, { key }: Identifier): Promise<boolean> {
  const at = key.lastIndexOf("@");
  const owner = at < 0 ? undefined : await findOwnerOfDomain(tx, tx.instanceId, key.slice(at + 1));
  return owner !== undefined && owner !== organizationId;
}
