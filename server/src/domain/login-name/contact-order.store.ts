import { join, type Reader, type Sql, sql, text } from "../../database/index.ts";

/**
 * What makes an address or a number that of its user: a code, a word that counts in the whole instance, another word,
 * or nothing. In these very words two indexes of each have it (`users_by_email`, `users_by_phone`, `users_by_mailbox`,
 * and those in an organization with `keyWithin`), in the order below.
 */
const standings = { code: 0, wide: 1, word: 2, none: 3 } as const;
type Standing = keyof typeof standings;

const email = {
  key: text("email_key"),
  keyWithin: text("(email_key || '')"),
  isIndexed: text("email_key is not null"),
  standing: text(`(case when coalesce(is_email_verified, 0) = 0 then 3 when email_proven_at is not null then 0
      when is_email_proof_wide = 1 then 1 else 2 end)`),
  since: text("coalesce(email_proven_at, email_verified_at, 0)"),
} as const;

const contacts = {
  email,
  // `mailboxOf` an address with a "+"; others are their mailbox themselves.
  mailbox: {
    ...email,
    key: text(`(substr(email_key, 1, length(email_key) - length(ltrim(email_key, replace(email_key, '+', ''))))
      || substr(email_key, length(rtrim(email_key, replace(email_key, '@', '')))))`),
    keyWithin: text(`(substr(email_key, 1, length(email_key) - length(ltrim(email_key, replace(email_key, '+', ''))))
      || substr(email_key, length(rtrim(email_key, replace(email_key, '@', '')))) || '')`),
    isIndexed: text("email_key <> replace(email_key, '+', '')"),
  },
  phone: {
    key: text("phone"),
    keyWithin: text("(phone || '')"),
    isIndexed: text("phone is not null"),
    standing: text(`(case when coalesce(is_phone_verified, 0) = 0 then 3 when phone_proof = '{"by":"code"}' then 0
      when is_phone_proof_wide = 1 then 1 else 2 end)`),
    since: text("coalesce(phone_verified_at, 0)"),
  },
} as const;

/** A contact that users may share. */
export interface SharedContact {
  readonly by: keyof typeof contacts;
  readonly value: string;
}

interface Holders extends SharedContact {
  readonly standing: Standing;
  /** The organization of the users; of all when absent. */
  readonly organization?: Sql | undefined;
  /** Only those of which this is true, among the first. */
  readonly where?: Sql | undefined;
}

const isActive = text("(case when state = 'active' then 0 else 1 end)");

/**
 * Selects rows of the first users with an address or number on one standing, those who are active before the others: so
 * many as the limit, whatever the number of users who have it.
 */
export function firstHolders(instanceId: string, holders: Holders, limit: number): Sql {
  const { key, keyWithin, isIndexed, standing, since } = contacts[holders.by];
  const { organization, where = sql`` } = holders;
  const having =
    organization === undefined
      ? sql`${key} = ${holders.value}`
      : sql`${keyWithin} = ${holders.value} and organization_id = ${organization}`;
  const first = sql`select * from users where instance_id = ${instanceId} and ${having}
    and ${isIndexed} and ${standing} = ${standings[holders.standing]}
    order by ${isActive}, ${since}, user_id limit ${limit}`;
  return sql`select * from (${first}) holder ${where}`;
}

/**
 * Selects those of some users who have an address or number on one standing: of the ones that
 * `listFirstOfActiveOrganizations` found.
 */
export function holdersAmong(instanceId: string, { by, standing }: Pick<Holders, "by" | "standing">, ids: Sql): Sql {
  return sql`select * from users where instance_id = ${instanceId} and user_id in ${ids}
    and ${contacts[by].standing} = ${standings[standing]}`;
}

/** A user with an address or number who may sign in. */
interface ActiveHolder {
  readonly userId: string;
  readonly organizationId: string;
}

// More organizations have an address in common only where most of these are active.
const mostOrganizations = 1000;

/**
 * Lists the first two active users of each active organization who have an address or number, for each standing. The
 * organizations are found one after another, so that it costs no more where very many users of one have it.
 */
export async function listFirstOfActiveOrganizations(
  reader: Reader,
  instanceId: string,
  { by, value }: SharedContact,
): Promise<ActiveHolder[]> {
  const { keyWithin, isIndexed, standing, since } = contacts[by];
  const having = sql`instance_id = ${instanceId} and ${keyWithin} = ${value} and ${isIndexed}`;
  const next = (condition: Sql): Sql =>
    sql`(select organization_id from users where ${having} ${condition} order by organization_id limit 1)`;
  const nth = (each: number, offset: Sql): Sql => sql`select (select user_id from users
      where ${having} and organization_id = present.id and ${standing} = ${each} and ${isActive} = 0
      order by ${since}, user_id limit 1 ${offset}) as user_id, present.id as organization_id from present`;
  const { code, wide, word } = standings;
  const users = [code, wide, word].flatMap((each) => [nth(each, sql``), nth(each, sql`offset 1`)]);
  // `cross join`: SQLite reads in this order.
  return reader.all<ActiveHolder>(sql`with recursive held(id) as (select ${next(sql``)}
      union all select ${next(sql`and organization_id > held.id`)} from held where held.id is not null),
    present(id) as (select held.id from held cross join organizations o
      where o.instance_id = ${instanceId} and o.organization_id = held.id and o.state = 'active' limit ${mostOrganizations})
    select user_id as "userId", organization_id as "organizationId" from (${join(users, " union all ")}) found
      where user_id is not null`);
}
