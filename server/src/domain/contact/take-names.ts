import type { Tx } from "../../database/index.ts";
import { type NameInDomain, renameUsers, updateToldOfDomain } from "../login-name/index.ts";
import { type QueueDeps, queueNotification } from "../notification/index.ts";
import { holdOrganization } from "../organization/index.ts";
import { findUser } from "../user/index.ts";
import { languageOf } from "./issue-code.ts";

/** Users with names in a domain that another organization owns. */
interface TakenNames {
  readonly domain: string;
  readonly users: readonly NameInDomain[];
  /** A text that makes their login names unique, where those formed by the rule would not be. */
  readonly apart?: string | undefined;
}

/** Step: gives the users other login names, and notifies them of what to sign in with from now on. */
export async function takeNames(tx: Tx, deps: QueueDeps, { domain, users, apart }: TakenNames): Promise<void> {
  const told: string[] = [];
  // In one order, so that two units of work do not wait for each other.
  for (const organizationId of [...new Set(users.map((user) => user.organizationId))].toSorted()) {
    const organization = await holdOrganization(tx, organizationId);
    // It is being deleted, with its users.
    if (organization === undefined) continue;
    const userIds = users.filter((user) => user.organizationId === organizationId).map(({ userId }) => userId);
    await renameUsers(tx, organization, { userIds, apart });
    for (const userId of userIds) if (await tell(tx, deps, { userId, domain })) told.push(userId);
  }
  if (told.length > 0) await updateToldOfDomain(tx, domain, told);
}

/** Queues the message; false for users without a verified address. */
async function tell(
  tx: Tx,
  deps: QueueDeps,
  { userId, domain }: { readonly userId: string; readonly domain: string },
): Promise<boolean> {
  const user = await findUser(tx, tx.instanceId, userId);
  if (user?.kind !== "human" || !user.email.isVerified) return false;
  await queueNotification(tx, deps, {
    kind: "domain_claimed",
    channel: "email",
    userId,
    organizationId: user.organizationId,
    recipient: user.email.address,
    language: await languageOf(tx, user),
    values: { domain, loginName: user.preferredLoginName },
  });
  return true;
}
