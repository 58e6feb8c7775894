import { canonicalName } from "../../base/canonical.ts";
import { Fault } from "../../base/fault.ts";
import { type Tx, UniqueViolation } from "../../database/index.ts";
import { readSettings } from "../settings/index.ts";
import { updateLoginNames } from "./login-name.store.ts";

/**
 * Step: forms the login names of an organization's users again, because its primary domain or the settings about names
 * changed. The event belongs to the organization or the instance, because nothing else about the users has changed.
 * Refused when two users would have the same login name.
 */
export async function renameLoginNames(
  tx: Tx,
  input: { readonly organizationId: string; readonly primaryDomain: string },
): Promise<void> {
  const { organizationId, primaryDomain } = input;
  const { settings } = await readSettings(tx, "domain", { instanceId: tx.instanceId, organizationId });
  const isBare = !settings.loginNameIncludesDomain;
  const rule = { organizationId, primaryDomain, primaryDomainKey: canonicalName(primaryDomain), isBare };
  await updateLoginNames(tx, rule).catch((error: unknown) => {
    if (!(error instanceof UniqueViolation)) throw error;
    throw new Fault("failed_precondition", "user.login_names_collide", { field: "domain", cause: error });
  });
}
