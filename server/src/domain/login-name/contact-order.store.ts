import { type Sql, sql, text } from "../../database/index.ts";

/**
 * What makes an address or a number that of its user: a code, a word that counts in the whole instance, another word,
 * or nothing. In these very words two indexes of each have it (`users_by_email`, `users_by_phone`, and those in an
 * organization), in the order below.
 */
const standings = { code: 0, wide: 1, word: 2, none: 3 } as const;
type Standing = keyof typeof standings;

const contacts = {
  email: {
    key: text("email_key"),
    standing: text(`(case when coalesce(is_email_verified, 0) = 0 then 3 when email_proven_at is not null then 0
      when is_email_proof_wide = 1 then 1 else 2 end)`),
    since: text("coalesce(email_proven_at, email_verified_at, 0)"),
  },
  phone: {
    key: text("phone"),
    standing: text(`(case when coalesce(is_phone_verified, 0) = 0 then 3 when phone_proof = '{"by":"code"}' then 0
      when is_phone_proof_wide = 1 then 1 else 2 end)`),
    since: text("coalesce(phone_verified_at, 0)"),
  },
} as const;

interface Holders {
  readonly by: keyof typeof contacts;
  readonly value: string;
  readonly standing: Standing;
  /** The organization of the users; of all when absent. */
  readonly organization?: Sql | undefined;
  /** Only users who may sign in, as may their organization. */
  readonly isActiveAlone?: boolean | undefined;
  /** Only those of which this is true, among the first. */
  readonly where?: Sql | undefined;
}

/**
 * Selects rows of the first users with an address or number on one standing, those who are active before the others: so
 * many as the limit, whatever the number of users who have it.
 */
export function firstHolders(instanceId: string, holders: Holders, limit: number): Sql {
  const { key, standing, since } = contacts[holders.by];
  const { organization, where = sql``, isActiveAlone = false } = holders;
  const within = organization === undefined ? sql`` : sql`and organization_id = ${organization}`;
  const isActive = isActiveAlone
    ? sql`and users.state = 'active' and (select o.state from organizations o
        where o.instance_id = ${instanceId} and o.organization_id = users.organization_id) = 'active'`
    : sql``;
  const first = sql`select * from users where instance_id = ${instanceId} ${within} and ${key} = ${holders.value}
    and ${standing} = ${standings[holders.standing]} ${isActive}
    order by (case when state = 'active' then 0 else 1 end), ${since}, user_id limit ${limit}`;
  return sql`select * from (${first}) holder ${where}`;
}
