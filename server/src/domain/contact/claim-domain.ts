import type { Tx } from "../../database/index.ts";
import { listNamesInDomain, renameLoginNamesAtOnce } from "../login-name/index.ts";
import { type QueueDeps, queueNotification } from "../notification/index.ts";
import { findOrganization, takeFromClaimants } from "../organization/index.ts";
import { findUser } from "../user/index.ts";
import { languageOf } from "./issue-code.ts";

/**
 * Step: an organization has become the owner of a domain, so usernames in it mean its users alone. Users of other
 * organizations with such a name get another login name, and are notified of what to sign in with from now on.
 */
export async function claimDomain(
  tx: Tx,
  deps: QueueDeps,
  claim: { readonly organizationId: string; readonly domain: string },
): Promise<void> {
  for (const organization of await takeFromClaimants(tx, claim)) await renameLoginNamesAtOnce(tx, organization);
  const concerned = await listNamesInDomain(tx, claim);
  for (const organizationId of new Set(concerned.map((user) => user.organizationId))) {
    const organization = await findOrganization(tx, tx.instanceId, organizationId);
    if (organization !== undefined) await renameLoginNamesAtOnce(tx, organization);
  }
  for (const { userId } of concerned) {
    const user = await findUser(tx, tx.instanceId, userId);
    if (user?.kind !== "human" || !user.email.isVerified) continue;
    await queueNotification(tx, deps, {
      kind: "domain_claimed",
      channel: "email",
      userId,
      organizationId: user.organizationId,
      recipient: user.email.address,
      language: await languageOf(tx, user),
      values: { domain: claim.domain, loginName: user.preferredLoginName },
    });
  }
}
