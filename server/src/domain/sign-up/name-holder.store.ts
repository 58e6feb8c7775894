import { type Reader, type Sql, sql } from "../../database/index.ts";
import { firstHolders } from "../login-name/index.ts";
import type { UserKind, UserState } from "../user/index.ts";

/** A user that a name belongs to in some respect. */
export interface NameHolderRow {
  readonly userId: string;
  readonly organizationId: string;
  readonly kind: UserKind;
  readonly state: UserState;
  readonly organizationState: "active" | "inactive";
  readonly usernameKey: string;
  readonly loginNameKey: string;
  readonly emailKey: string | null;
  readonly isEmailVerified: number | null;
  /**
   * Whether there is something to sign in with besides a password that a message to the address sets: a factor, an
   * account at a provider, or a phone number, which gets codes for new passwords.
   */
  readonly hasOtherSignInMethod: number;
}

// Of more users than this with the name for one reason, only the first are looked at.
const most = 20;

/**
 * Lists users who proved the name as their address by a code, the first before the others, and those of an organization
 * with the name as verified address, as username, as login name, or as an address that they entered. A user appears
 * once for each of these. Users of other organizations have no claim to an address that only their administrators
 * asserted.
 */
export function listNameHolders(
  reader: Reader,
  instanceId: string,
  { organizationId, name }: { readonly organizationId: string; readonly name: string },
): Promise<NameHolderRow[]> {
  const having = (
    from: Sql,
    condition: Sql,
  ): Sql => sql`select u.user_id as "userId", u.organization_id as "organizationId", u.kind, u.state,
      (select o.state from organizations o where o.instance_id = ${instanceId} and o.organization_id = u.organization_id) as "organizationState",
      u.username_key as "usernameKey", u.login_name_key as "loginNameKey", u.email_key as "emailKey", u.is_email_verified as "isEmailVerified",
      case when u.phone is not null or exists (select 1 from user_factors f where f.instance_id = ${instanceId} and f.user_id = u.user_id)
        or exists (select 1 from identity_links l where l.instance_id = ${instanceId} and l.user_id = u.user_id) then 1 else 0 end as "hasOtherSignInMethod"
    from ${from} u
    where u.instance_id = ${instanceId} ${condition}`;
  const all = sql`users`;
  const here = sql`and u.organization_id = ${organizationId}`;
  const inside = { by: "email", value: name, organization: sql`${organizationId}` } as const;
  const held = (standing: "wide" | "word" | "none"): Sql =>
    having(sql`(${firstHolders(instanceId, { ...inside, standing }, most)})`, sql``);
  const proven = firstHolders(instanceId, { by: "email", value: name, standing: "code" }, most);
  return reader.all<NameHolderRow>(sql`select * from (${having(sql`(${proven})`, sql`order by u.email_proven_at, u.user_id`)}) p
    union all select * from (${held("wide")}) w union all select * from (${held("word")}) v
    union all select * from (${having(all, sql`${here} and u.username_key = ${name}`)}) b
    union all select * from (${having(all, sql`${here} and u.login_name_key = ${name}`)}) c
    union all select * from (${held("none")}) d`);
}
