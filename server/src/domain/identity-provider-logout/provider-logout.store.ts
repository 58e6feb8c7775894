import type { Instant } from "../../base/clock.ts";
import { type EndedRows, sql, type Tx, text } from "../../database/index.ts";

/** A logout for which a browser was sent to a provider. */
export interface ProviderLogout {
  readonly stateHash: string;
  readonly identityProviderId: string;
  /** Where the browser goes afterwards; checked before. */
  readonly target: string;
}

export function insertProviderLogout(tx: Tx, logout: ProviderLogout, expiresAt: Instant): void {
  tx.write(sql`insert into provider_logouts (instance_id, state_hash, identity_provider_id, target, expires_at)
    values (${tx.instanceId}, ${logout.stateHash}, ${logout.identityProviderId}, ${logout.target}, ${expiresAt})`);
}

/** Consumes the logout of a state, and returns where it leads; undefined when it is unknown, used or expired. */
export async function consumeProviderLogout(
  tx: Tx,
  { stateHash, identityProviderId }: Omit<ProviderLogout, "target">,
): Promise<string | undefined> {
  const row = await tx.maybe<{ target: string }>(sql`delete from provider_logouts
    where instance_id = ${tx.instanceId} and state_hash = ${stateHash} and identity_provider_id = ${identityProviderId}
      and expires_at > ${tx.now}
    returning target`);
  return row?.target;
}

/** Logouts that expired before the instant. */
export const expiredProviderLogouts = (before: number): EndedRows => ({
  table: text("provider_logouts"),
  where: () => sql`expires_at < ${before}`,
});
