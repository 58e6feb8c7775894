import { type Reader, sql } from "../../database/index.ts";

/** A user and the keys of their names. */
export interface KeysOfUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly username: string;
  readonly usernameKey: string;
  readonly email: string | null;
  readonly emailKey: string | null;
}

/** Lists users of all instances whose names may have other keys than they would get today. */
export function listOddKeys(reader: Reader): Promise<KeysOfUser[]> {
  return reader.all<KeysOfUser>(sql`select user_id as "userId", organization_id as "organizationId", username,
      username_key as "usernameKey", email, email_key as "emailKey"
    from users where (strpos(username_key, '@') > 0 and octet_length(username_key) <> length(username_key))
      or octet_length(email_key) <> length(email_key)
      or strpos(username_key, ' TAKEN') > 0 or strpos(email_key, ' TAKEN') > 0
    order by instance_id, user_id limit 1000`);
}
