import { fold, type Reader, type Sql, sql, text } from "../../database/index.ts";

/** A text of a user that lists can be searched by. */
export type UserTextField =
  | "username"
  | "givenName"
  | "familyName"
  | "nickName"
  | "displayName"
  | "email"
  | "phone"
  | "loginName";

/** The texts without their case, as they are indexed and lists are sorted by them. Never null. */
export const foldedFields = {
  username: fold(text("users.username")),
  givenName: fold(text("coalesce(users.given_name, '')")),
  familyName: fold(text("coalesce(users.family_name, '')")),
  nickName: fold(text("coalesce(users.nick_name, '')")),
  displayName: fold(text("users.display_name")),
  email: fold(text("coalesce(users.email, '')")),
} as const;

export const isFolded = (field: UserTextField): field is keyof typeof foldedFields => field in foldedFields;

/** Everything that users are searched by, as in the index of trigrams on PostgreSQL. */
export const searchedWords = fold(
  text(`users.preferred_login_name || ' ' || users.username || ' ' || users.display_name || ' '
  || coalesce(users.given_name, '') || ' ' || coalesce(users.family_name, '') || ' ' || coalesce(users.nick_name, '') || ' '
  || coalesce(users.email, '') || ' ' || coalesce(users.phone, '')`),
);

/**
 * Returns the condition that a statement of ids contains the user. The statement is evaluated once and its ids are
 * looked up; without statistics PostgreSQL would rather evaluate it again for every user.
 */
export const isAmong = (engine: Reader["engine"], userIds: Sql): Sql =>
  engine === "postgres" ? sql`users.user_id = any (array(${userIds}))` : sql`users.user_id in (${userIds})`;

/**
 * The users of an instance, for lists: the sorting indexes serve only statements with this condition, which is true of
 * all rows.
 */
export const ofList = (instanceId: string): Sql =>
  sql`users.instance_id = ${instanceId} and (users.user_id || '') <> ''`;
