import type { Tx } from "../../database/index.ts";
import { recordUserEvent } from "../user/index.ts";
import type { Impersonation } from "./impersonation.ts";

type What = "started" | "ended";

/**
 * Step: records that impersonations began or ended, in the history of both users, and tells the impersonated ones of
 * the beginning. The rows of users are taken in the order of their ids, so that two administrators who impersonate each
 * other do not wait for one another.
 */
export async function recordImpersonations(
  tx: Tx,
  changed: readonly { readonly what: What; readonly impersonation: Impersonation }[],
): Promise<void> {
  const events = changed.flatMap(({ what, impersonation }) => {
    const { impersonationId, userId, organizationId, actorId, actorOrganizationId } = impersonation;
    const { applicationId, clientId, reason, expiresAt } = impersonation;
    const payload = { impersonationId, userId, actorId, applicationId, clientId, reason, expiresAt };
    return [
      { user: { userId, organizationId }, type: `user.impersonation.${what}`, payload },
      { user: { userId: actorId, organizationId: actorOrganizationId }, type: `user.impersonator.${what}`, payload },
    ] as const;
  });
  for (const { user, type, payload } of events.toSorted((one, other) => order(one.user.userId, other.user.userId))) {
    await recordUserEvent(tx, user, { type, payload });
  }
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
