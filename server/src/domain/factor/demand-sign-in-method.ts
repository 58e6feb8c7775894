import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { mayPrepareFor } from "../administrator-access/index.ts";
import { hasIdentityLink } from "../identity-provider-link/index.ts";
import { readSettings } from "../settings/index.ts";
import type { HumanUser } from "../user/index.ts";
import { listFactorsOfUser } from "./factor.store.ts";

/**
 * Step: rejects a change that would leave a user without any means of signing in that the login settings allow: a
 * password, a passkey, or a linked account at an identity provider. The user is locked, so of two concurrent removals
 * the second sees the effect of the first.
 */
export async function demandSignInMethod(tx: Tx, { userId, organizationId, hasPassword }: HumanUser): Promise<void> {
  const { instanceId } = tx;
  const { settings } = await readSettings(tx, "login", { instanceId, organizationId, userId });
  const { allowLocalAuthentication, allowPasskeys, allowExternalIdp } = settings;
  if (allowLocalAuthentication && hasPassword) return;
  const factors = await listFactorsOfUser(tx, instanceId, userId);
  if (allowPasskeys && factors.some(({ kind, state }) => kind === "passkey" && state === "ready")) return;
  if (allowExternalIdp && (await hasIdentityLink(tx, instanceId, { mayPrepareFor }, userId))) return;
  throw new Fault("failed_precondition", "factor.last_way_in");
}
