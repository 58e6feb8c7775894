import type { Instant } from "../../base/clock.ts";
import { inTurn, sql, type Tx } from "../../database/index.ts";
import type { AccessTokenFormat, Profile } from "./user.ts";

export async function updateProfile(
  tx: Tx,
  userId: string,
  profile: Profile & { readonly displayName: string },
): Promise<void> {
  await tx.run(sql`update users set given_name = ${profile.givenName}, family_name = ${profile.familyName},
      nick_name = ${profile.nickName}, display_name = ${profile.displayName}, preferred_language = ${profile.preferredLanguage},
      gender = ${profile.gender}
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId)}`);
}

/**
 * Sets the names. A different spelling of a username is the same name. Throws UniqueViolation when the organization has
 * the username or the instance the login name already.
 */
export async function updateNames(
  tx: Tx,
  userId: string,
  names: {
    username: string;
    usernameKey: string;
    preferredLoginName: string;
    loginNameKey: string;
    isOwnChoice: boolean;
  },
): Promise<void> {
  await tx.run(sql`update users set username = ${names.username}, username_key = ${names.usernameKey},
      preferred_login_name = ${names.preferredLoginName}, login_name_key = ${names.loginNameKey},
      username_set_at = case when username_key = ${names.usernameKey} then username_set_at else ${tx.now} end,
      is_username_own_choice = case when username_key = ${names.usernameKey} then is_username_own_choice else ${names.isOwnChoice} end
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId)}`);
}

export async function updateMachine(
  tx: Tx,
  userId: string,
  machine: { displayName: string; description: string; accessTokenFormat: AccessTokenFormat },
): Promise<void> {
  await tx.run(sql`update users set display_name = ${machine.displayName}, description = ${machine.description},
      access_token_format = ${machine.accessTokenFormat}
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId)}`);
}

/**
 * Records since when a user had a second factor that is being removed. All such periods are kept as a single one, so a
 * user who signed in between two of them is asked for a factor again.
 */
export async function keepFormerSecondFactor(tx: Tx, userId: string, since: Instant): Promise<void> {
  await tx.run(sql`update users set former_second_factor_until = ${tx.now}, former_second_factor_since = case
      when former_second_factor_since < ${since} then former_second_factor_since else cast(${since} as bigint) end
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId)}`);
}

export async function updateSecondFactorSkipped(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`update users set second_factor_skipped_at = ${tx.now}
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId)}`);
}
