import { canonicalName } from "../../base/canonical.ts";
import { Fault } from "../../base/fault.ts";
import { type Tx, UniqueViolation } from "../../database/index.ts";
import { updateLoginNames } from "./login-name.store.ts";

/**
 * Step: forms the login names of an organization's users with another primary domain. The event is the organization's, because
 * nothing about the single users has changed. Refused when two users would have one login name.
 */
export async function renameLoginNames(
  tx: Tx,
  input: { readonly organizationId: string; readonly primaryDomain: string },
): Promise<void> {
  const { organizationId, primaryDomain } = input;
  await updateLoginNames(tx, organizationId, primaryDomain, canonicalName(primaryDomain)).catch((error: unknown) => {
    if (!(error instanceof UniqueViolation)) throw error;
    throw new Fault("failed_precondition", "user.login_names_collide", { field: "domain", cause: error });
  });
}
