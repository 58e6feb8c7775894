import { type Reader, sql } from "../../database/index.ts";
import { farFuture } from "./personal-access-token.ts";

/** A service account with credentials that never expire. */
export interface LastingAccount {
  readonly instanceId: string;
  readonly userId: string;
  readonly loginName: string;
}

/** Lists the active service accounts with a personal access token or a key that never expires, in all instances. */
export const listLastingAccounts = (reader: Reader): Promise<LastingAccount[]> =>
  reader.all<LastingAccount>(sql`select u.instance_id as "instanceId", u.user_id as "userId",
      u.preferred_login_name as "loginName" from users u
    where u.kind = 'machine' and u.state = 'active' and (
      exists (select 1 from personal_access_tokens t
        where t.instance_id = u.instance_id and t.user_id = u.user_id and t.expires_at >= ${farFuture})
      or exists (select 1 from user_keys k
        where k.instance_id = u.instance_id and k.user_id = u.user_id and k.expires_at >= ${farFuture}))
    order by u.instance_id, u.user_id`);
