import { type Reader, sql } from "../../database/index.ts";

/** An administrator without a second factor. */
export interface SingleFactorAdministrator {
  readonly instanceId: string;
  readonly userId: string;
  readonly loginName: string;
}

/**
 * Lists the active users who administer an instance or an organization and can prove themselves with one factor only.
 * Recovery codes stand in for a factor and do not count.
 */
export const listSingleFactorAdministrators = (reader: Reader): Promise<SingleFactorAdministrator[]> =>
  reader.all<SingleFactorAdministrator>(sql`select u.instance_id as "instanceId", u.user_id as "userId",
      u.preferred_login_name as "loginName" from users u
    where u.kind = 'human' and u.state = 'active'
      and exists (select 1 from membership_roles m where m.instance_id = u.instance_id and m.user_id = u.user_id
        and m.level in ('instance', 'organization'))
      and not exists (select 1 from user_factors f where f.instance_id = u.instance_id and f.user_id = u.user_id
        and f.state = 'ready' and f.kind <> 'recovery_codes')
      and not exists (select 1 from webauthn_credentials c where c.instance_id = u.instance_id and c.user_id = u.user_id
        and c.state = 'ready')
    order by u.instance_id, u.user_id`);
