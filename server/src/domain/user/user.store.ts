import {
  byKey,
  deleteAll,
  inTurn,
  join,
  list,
  type Reader,
  rowLock,
  rowsTogether,
  type Sql,
  sql,
  type Tx,
  takeTurns,
  text,
} from "../../database/index.ts";
import { type ContactProof, formatProof, reachesInstance } from "./contact-proof.ts";
import type { AccessTokenFormat, Gender, User, UserKind, UserState } from "./user.ts";
import { toUser, type UserRow, userColumns } from "./user-row.ts";

/** What decides whether a caller may act on a user or as a user. */
export interface UserScope {
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationState: "active" | "inactive";
  readonly kind: UserKind;
  readonly state: UserState;
  readonly preferredLoginName: string;
  readonly accessTokenFormat: AccessTokenFormat | null;
  /** What a sign-in that establishes who the user is has to keep (`holdSignInEpoch`). */
  readonly signInEpoch: number;
}

export interface UserInsert {
  readonly userId: string;
  readonly sequence: number;
  readonly organizationId: string;
  readonly kind: UserKind;
  readonly state?: "active" | "initial" | undefined;
  readonly username: string;
  readonly usernameKey: string;
  readonly isUsernameOwnChoice: boolean;
  readonly preferredLoginName: string;
  readonly loginNameKey: string;
  readonly displayName: string;
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
  readonly nickName?: string | undefined;
  readonly preferredLanguage?: string | undefined;
  readonly gender?: Gender | undefined;
  readonly email?: string;
  readonly emailKey?: string;
  readonly isEmailVerified?: boolean;
  readonly emailProof?: ContactProof | undefined;
  readonly emailAuthor?: string | undefined;
  readonly phone?: string | undefined;
  readonly isPhoneVerified?: boolean | undefined;
  readonly phoneProof?: ContactProof | undefined;
  readonly phoneAuthor?: string | undefined;
  readonly passwordHash?: string | undefined;
  readonly passwordAuthor?: string | undefined;
  readonly isPasswordChangeRequired?: boolean | undefined;
  readonly description?: string;
  readonly accessTokenFormat?: AccessTokenFormat;
}

/** Inserts a user. Returns undefined when the id, the username or the login name is taken. */
export async function insertUser(tx: Tx, user: UserInsert): Promise<User | undefined> {
  const row = await tx.maybe<UserRow>(sql`${insert} values ${valuesOf(tx, user)} ${unlessTaken}`);
  return row && toUser(row);
}

/** Inserts users, and returns those whose id, username and login name were free. */
export async function insertUsers(tx: Tx, users: readonly UserInsert[]): Promise<User[]> {
  const inserted: User[] = [];
  for (const together of rowsTogether(users)) {
    const values = together.map((user) => valuesOf(tx, user));
    const rows = await tx.all<UserRow>(sql`${insert} values ${join(values, ", ")} ${unlessTaken}`);
    inserted.push(...rows.map(toUser));
  }
  return inserted;
}

const insert = sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key, username_set_at, is_username_own_choice, preferred_login_name, login_name_key, display_name, sequence, created_at, changed_at, given_name, family_name,
      nick_name, preferred_language, gender, email, email_key, is_email_verified, email_verified_at, email_proven_at, email_proof,
      is_email_proof_wide, email_author, phone, is_phone_verified, phone_verified_at, phone_proof, is_phone_proof_wide, phone_author, password_hash, password_author, password_changed_at, is_password_change_required, failed_password_checks,
      description, access_token_format)`;

const unlessTaken = sql`on conflict do nothing returning ${userColumns}`;

const valuesOf = (
  tx: Tx,
  user: UserInsert,
): Sql => sql`(${tx.instanceId}, ${user.userId}, ${user.organizationId}, ${user.kind}, ${user.state ?? "active"}, ${user.username},
      ${user.usernameKey}, ${tx.now}, ${user.isUsernameOwnChoice}, ${user.preferredLoginName}, ${user.loginNameKey}, ${user.displayName},
      ${user.sequence},
      ${tx.now}, ${tx.now}, ${user.givenName}, ${user.familyName},
      ${user.nickName}, ${user.preferredLanguage}, ${user.gender}, ${user.email}, ${user.emailKey}, ${user.isEmailVerified},
      ${user.isEmailVerified === true ? tx.now : null}, ${user.emailProof?.by === "code" ? tx.now : null}, ${formatProof(user.emailProof)},
      ${reachesInstance(user.emailProof)}, ${user.emailAuthor}, ${user.phone}, ${user.isPhoneVerified}, ${user.isPhoneVerified === true ? tx.now : null}, ${formatProof(user.phoneProof)}, ${reachesInstance(user.phoneProof)}, ${user.phoneAuthor}, ${user.passwordHash}, ${user.passwordAuthor},
      ${user.passwordHash === undefined ? null : tx.now},
      ${user.isPasswordChangeRequired ?? false}, 0, ${user.description}, ${user.accessTokenFormat})`;

/** Finds the user with this id, in any state. */
export async function findUser(reader: Reader, instanceId: string, userId: string): Promise<User | undefined> {
  const row = await reader.maybe<UserRow>(
    byKey(
      instanceId,
      sql`select ${userColumns} from users
    where users.instance_id = ${instanceId} and users.user_id = ${userId}`,
    ),
  );
  return row && toUser(row);
}

/** Finds what decides whether a caller may act on a user or as a user, in one indexed statement. */
export function findUserScope(reader: Reader, instanceId: string, userId: string): Promise<UserScope | undefined> {
  return reader.maybe<UserScope>(sql`select u.user_id as "userId", u.organization_id as "organizationId",
      o.state as "organizationState", u.kind, u.state, u.preferred_login_name as "preferredLoginName",
      u.access_token_format as "accessTokenFormat", u.sign_in_epoch as "signInEpoch"
    from users u join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id
    where u.instance_id = ${instanceId} and u.user_id = ${userId}`);
}

/**
 * Takes the next sequence of a user for something that belongs to it (a key, a code …). A mere check does not count as
 * a change of the user. Returns undefined when there is no such user.
 */
export async function bumpUserSequence(tx: Tx, userId: string, isChange: boolean): Promise<number | undefined> {
  const change = isChange ? sql`, changed_at = ${tx.now}` : sql``;
  const row = await tx.maybe<{ sequence: number }>(sql`update users set sequence = sequence + 1 ${change}
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId)} returning sequence`);
  return row?.sequence;
}

/**
 * Returns the user, locked exclusively until the unit of work ends: nothing can be given to a user who is being
 * deleted.
 */
export async function holdUser(tx: Tx, userId: string): Promise<User | undefined> {
  const row = await tx.maybe<UserRow>(sql`select ${userColumns} from users
    where users.instance_id = ${tx.instanceId} and users.user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId)} ${rowLock(tx, "alone")}`);
  return row && toUser(row);
}

/** Returns whether a user has a factor to sign in with. Recovery codes only stand in for one. */
export async function hasFactor(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx.maybe<{ found: number }>(sql`select 1 as "found" from user_factors
    where instance_id = ${tx.instanceId} and user_id = ${userId} and state = 'ready' and kind <> 'recovery_codes' limit 1`);
  return row !== undefined;
}

/** Returns users of an organization, locked exclusively; at most `limit`. */
export async function holdUsersOfOrganization(tx: Tx, organizationId: string, limit: number): Promise<User[]> {
  const found = await tx.all<{ userId: string }>(sql`select user_id as "userId" from users
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} order by user_id limit ${limit}`);
  const userIds = found.map(({ userId }) => userId);
  takeTurns(tx, "alone", "user", userIds);
  const rows = await tx.all<UserRow>(sql`select ${userColumns} from users
    where users.instance_id = ${tx.instanceId} and users.user_id in ${list(userIds)}
    order by users.user_id ${rowLock(tx, "alone")}`);
  return rows.map(toUser);
}

/** Removes users with their keys, tokens and pictures. Returns the sequences of the removals, by user. */
export async function deleteUserRows(tx: Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const where = sql`instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`;
  await deleteAll(tx, { table: text("user_keys"), where, userIds });
  await deleteAll(tx, { table: text("personal_access_tokens"), where, userIds });
  await deleteAll(tx, { table: text("user_avatars"), where });
  const rows = await tx.all<{ userId: string; sequence: number }>(sql`delete from users where ${where}
    returning user_id as "userId", sequence + 1 as "sequence"`);
  return new Map(rows.map(({ userId, sequence }) => [userId, sequence]));
}
