import { type Instant, minutes } from "../../base/clock.ts";
import { type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { LogoutNotice } from "./logout-notice.ts";

const columns = text(`n.instance_id as "instanceId", n.session_id as "sessionId", n.client_id as "clientId",
  n.user_id as "userId", n.name_id as "nameId", n.owner_id as "ownerId", n.attempts as "attempt",
  n.created_at as "createdAt"`);

// Long enough for a browser to visit each service provider.
const recently = minutes(5);
/** How long a service provider has to send the browser back, before the notice is tried otherwise. */
const visitLifetime = minutes(3);

/** Lists the notices to SAML service providers about sessions that ended in a browser a moment ago, oldest first. */
export const listNoticesOfBrowser = (
  reader: Reader,
  instanceId: string,
  { browserHash, now }: { readonly browserHash: string; readonly now: Instant },
): Promise<(LogoutNotice & { readonly nextAttemptAt: Instant })[]> =>
  reader.all(sql`select ${columns}, n.next_attempt_at as "nextAttemptAt" from sessions s
    join logout_notices n on n.instance_id = ${instanceId} and n.session_id = s.session_id
    where s.instance_id = ${instanceId} and s.browser_hash = ${browserHash} and s.terminated_at >= ${now - recently}
      and n.name_id is not null
    order by n.created_at, n.session_id, n.client_id limit 50`);

/** Step: claims a notice for a visit of the browser; false when it was claimed or settled since it was listed. */
export async function claimForVisit(tx: Tx, notice: LogoutNotice): Promise<boolean> {
  const count = await tx.run(sql`update logout_notices
    set attempts = attempts + 1, next_attempt_at = ${tx.now + visitLifetime}
    where instance_id = ${tx.instanceId} and session_id = ${notice.sessionId} and client_id = ${notice.clientId}
      and attempts = ${notice.attempt}`);
  return count > 0;
}

/** Whether the browser has visited the service provider of a notice already, or is there. */
export const isVisited = (notice: { readonly nextAttemptAt: Instant; readonly createdAt: Instant }): boolean =>
  notice.nextAttemptAt >= notice.createdAt + visitLifetime;
