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

/** The texts without their case, as indexes have them, in the order of which lists are sorted. Never null. */
export const foldedFields = {
  username: fold(text("users.username")),
  givenName: fold(text("coalesce(users.given_name, '')")),
  familyName: fold(text("coalesce(users.family_name, '')")),
  nickName: fold(text("coalesce(users.nick_name, '')")),
  displayName: fold(text("users.display_name")),
  email: fold(text("coalesce(users.email, '')")),
} as const;

export const isFolded = (field: UserTextField): field is keyof typeof foldedFields => field in foldedFields;

/** All that a user is searched by, as the index of trigrams on PostgreSQL has it. */
export const searchedWords = fold(
  text(`users.preferred_login_name || ' ' || users.username || ' ' || users.display_name || ' '
  || coalesce(users.given_name, '') || ' ' || coalesce(users.family_name, '') || ' ' || coalesce(users.nick_name, '') || ' '
  || coalesce(users.email, '') || ' ' || coalesce(users.phone, '')`),
);

/**
 * The condition that a statement of ids names the user. The statement is answered once and its ids are looked up; without statistics PostgreSQL would
 * rather answer it anew for every user.
 */
export const isAmong = (engine: Reader["engine"], userIds: Sql): Sql =>
  engine === "postgres" ? sql`users.user_id = any (array(${userIds}))` : sql`users.user_id in (${userIds})`;

/** The users of an instance, for lists: the indexes in their orders are for statements that say what is true of all rows. */
export const ofList = (instanceId: string): Sql => sql`users.instance_id = ${instanceId} and users.sequence > 0`;
