import { type Reader, type Sql, sql } from "../../database/index.ts";

/** What a user has to sign in with. */
export interface SignInDemand {
  /** Whether a first factor exists that a second one would add to: a password or a passkey. */
  readonly hasFirstFactor: number;
  /** Since when there is a second factor. */
  readonly secondFactorSince: number | null;
  /** The first and the last instant at which the user had a second factor that was removed since. */
  readonly formerSecondFactorSince: number | null;
  readonly formerSecondFactorUntil: number | null;
}

/** Columns of `SignInDemand` for a statement with `users u`. */
export const signInDemandColumns = (
  instanceId: string,
): Sql => sql`case when u.password_hash is not null or exists (select 1 from user_factors k
      where k.instance_id = ${instanceId} and k.user_id = u.user_id and k.kind = 'passkey' and k.state = 'ready')
    then 1 else 0 end as "hasFirstFactor",
  (select min(f.ready_at) from user_factors f where f.instance_id = ${instanceId} and f.user_id = u.user_id
    and f.kind in ('totp', 'otp_email', 'otp_sms', 'u2f') and f.state = 'ready') as "secondFactorSince",
  u.former_second_factor_since as "formerSecondFactorSince",
  u.former_second_factor_until as "formerSecondFactorUntil"`;

/** Finds what a user has to sign in with; undefined without an active or initial user in an active organization. */
export function findSignInDemand(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<SignInDemand | undefined> {
  return reader.maybe<SignInDemand>(sql`select ${signInDemandColumns(instanceId)} from users u
    join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
    where u.instance_id = ${instanceId} and u.user_id = ${userId} and u.state in ('active', 'initial') and o.state = 'active'`);
}

/**
 * Like `findSignInDemand`, but also for a user who cannot sign in at the moment; undefined if there is no such user.
 */
export function findDemandInAnyState(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<SignInDemand | undefined> {
  return reader.maybe<SignInDemand>(sql`select ${signInDemandColumns(instanceId)} from users u
    where u.instance_id = ${instanceId} and u.user_id = ${userId}`);
}
