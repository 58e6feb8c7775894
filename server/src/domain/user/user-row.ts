import { text } from "../../database/index.ts";
import { parseProof } from "./contact-proof.ts";
import type { AccessTokenFormat, Gender, HumanUser, MachineUser, Profile, User, UserKind, UserState } from "./user.ts";

/** What every statement that returns users selects, from a table `users` without alias. */
export const userColumns =
  text(`users.user_id as "userId", users.organization_id as "organizationId", users.kind, users.state,
  users.username, users.preferred_login_name as "preferredLoginName", users.display_name as "displayName", users.sequence,
  users.created_at as "createdAt", users.changed_at as "changedAt", users.given_name as "givenName",
  users.family_name as "familyName", users.nick_name as "nickName", users.preferred_language as "preferredLanguage",
  users.gender, users.email, users.is_email_verified as "isEmailVerified", users.email_proof as "emailProof", users.phone,
  users.is_phone_verified as "isPhoneVerified", users.phone_proof as "phoneProof", users.avatar_file as "avatarFile", users.password_changed_at as "passwordChangedAt",
  users.password_blocked_at as "passwordBlockedAt", users.is_password_change_required as "isPasswordChangeRequired",
  case when users.password_hash is null then 0 else 1 end as "hasPassword",
  users.second_factor_skipped_at as "secondFactorSkippedAt", users.description,
  users.access_token_format as "accessTokenFormat", case when users.secret_hash is null then 0 else 1 end as "hasSecret"`);

export interface UserRow {
  readonly userId: string;
  readonly organizationId: string;
  readonly kind: UserKind;
  readonly state: UserState;
  readonly username: string;
  readonly preferredLoginName: string;
  readonly displayName: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly nickName: string | null;
  readonly preferredLanguage: string | null;
  readonly gender: Gender | null;
  readonly email: string | null;
  readonly isEmailVerified: number | null;
  readonly emailProof: string | null;
  readonly phone: string | null;
  readonly isPhoneVerified: number | null;
  readonly phoneProof: string | null;
  readonly avatarFile: string | null;
  readonly passwordChangedAt: number | null;
  readonly passwordBlockedAt: number | null;
  readonly isPasswordChangeRequired: number;
  readonly hasPassword: number;
  readonly secondFactorSkippedAt: number | null;
  readonly description: string | null;
  readonly accessTokenFormat: AccessTokenFormat | null;
  readonly hasSecret: number;
}

/** Maps a row to a user of its kind. */
export function toUser(row: UserRow): User {
  return row.kind === "human" ? toHuman(row) : toMachine(row);
}

function toCommon(row: UserRow) {
  const { userId, organizationId, state, username, preferredLoginName, displayName, sequence, createdAt, changedAt } =
    row;
  const details = { sequence, createdAt, changedAt, ownerId: organizationId };
  return { userId, organizationId, state, username, preferredLoginName, displayName, details };
}

function toHuman(row: UserRow): HumanUser {
  return {
    ...toCommon(row),
    kind: "human",
    profile: toProfile(row),
    email: { address: row.email ?? "", isVerified: row.isEmailVerified === 1, ...toProof(row.emailProof) },
    ...(row.phone !== null && {
      phone: { number: row.phone, isVerified: row.isPhoneVerified === 1, ...toProof(row.phoneProof) },
    }),
    ...(row.avatarFile !== null && { avatarFile: row.avatarFile }),
    hasPassword: row.hasPassword === 1,
    isPasswordChangeRequired: row.isPasswordChangeRequired === 1,
    ...(row.passwordChangedAt !== null && { passwordChangedAt: row.passwordChangedAt }),
    ...(row.passwordBlockedAt !== null && { passwordBlockedAt: row.passwordBlockedAt }),
    ...(row.secondFactorSkippedAt !== null && { secondFactorSkippedAt: row.secondFactorSkippedAt }),
  };
}

const toProof = (text: string | null) => (text === null ? {} : { proof: parseProof(text) });

function toProfile(row: UserRow): Profile {
  return {
    givenName: row.givenName ?? "",
    familyName: row.familyName ?? "",
    ...(row.nickName !== null && { nickName: row.nickName }),
    ...(row.preferredLanguage !== null && { preferredLanguage: row.preferredLanguage }),
    ...(row.gender !== null && { gender: row.gender }),
  };
}

function toMachine(row: UserRow): MachineUser {
  return {
    ...toCommon(row),
    kind: "machine",
    description: row.description ?? "",
    accessTokenFormat: row.accessTokenFormat ?? "opaque",
    hasSecret: row.hasSecret === 1,
  };
}
