import { join, list, type Reader, type Sql, sql, type Tx } from "../../database/index.ts";
import { firstHolders } from "./contact-order.store.ts";
import type { FoundUser } from "./found-user.ts";
import { defaultOrganization, holdersByCode, holdersByWord, type NameOptions, withActive } from "./holders.store.ts";
import { isActive } from "./only-one.ts";

/** The state of a user's organization; looked up for each of few users, whatever statistics the engine has. */
const organizationState = (instanceId: string): Sql =>
  sql`(select o.state from organizations o where o.instance_id = ${instanceId} and o.organization_id = u.organization_id)`;

const foundColumns = (instanceId: string): Sql =>
  sql`u.user_id as "userId", u.organization_id as "organizationId", ${organizationState(instanceId)} as "organizationState",
  u.kind, u.state, u.preferred_login_name as "preferredLoginName", u.display_name as "displayName",
  u.sign_in_epoch as "signInEpoch"`;

/** A user whom a name means, and why. */
export interface UserOfName extends FoundUser {
  /** What makes it a name of the user, the strongest first. */
  readonly rank: "proven_email" | "verified_email" | "username" | "login_name";
  readonly reach: Reach;
  /** Since when the user has the name for this reason. */
  readonly since: number;
  /** 1 when it is the user's address and neither their username nor their login name. */
  readonly isOnlyEmail: number;
}

/**
 * How far it counts that a user has a name. 3: in the whole instance, by a proof of the address or number. 2: as given
 * to an administrator of the instance. 1: as said in the default organization. 0: as said in another organization. -1:
 * where only the user says so of an address, at registration.
 */
type Reach = -1 | 0 | 1 | 2 | 3;

/** 1 for users of the default organization, otherwise 0. */
const ofDefault = (instanceId: string): Sql =>
  sql`(case when u.organization_id = ${defaultOrganization(instanceId)} then 1 else 0 end)`;

/**
 * Reach of usernames and login names. What users call themselves counts in their organization alone, and an address
 * that they entered and did not prove counts for less than what others say of it: it may belong to any of them.
 */
const reachOfName = (instanceId: string): Sql => sql`case when u.is_username_own_choice = 1
    and strpos(u.username_key, '@') > 0 and (u.email_key <> u.username_key or u.is_email_verified = 0) then -1
  when u.is_username_own_choice = 1 then 0
  when exists (select 1 from membership_roles r where r.instance_id = ${instanceId} and r.user_id = u.user_id and r.level = 'instance') then 2
  else ${ofDefault(instanceId)} end`;

/** Whether others than the user gave the username. */
const isGiven = sql`u.is_username_own_choice = 0`;

/** Reach of a verified address that was not proven by a code. */
const reachOfWord = (instanceId: string): Sql =>
  sql`case when u.is_email_proof_wide = 1 then 3 else ${ofDefault(instanceId)} end`;

/** Users with a claim to a name, and which of many are looked at first. */
interface Among {
  /** Rows of users; of all when absent. */
  readonly from?: Sql;
  readonly condition?: Sql;
  readonly where: Sql;
  readonly rank: Sql;
  readonly reach: Sql;
  readonly since: Sql;
  readonly first?: Sql;
}

/** Orders users who may sign in before the others: an address or a number means one of them, if there are any. */
const activeUsersFirst = (instanceId: string): Sql =>
  sql`case when u.state = 'active' and ${organizationState(instanceId)} = 'active' then 0 else 1 end,`;

/** The statement of users with a name among those of a condition, each with the reason. */
function withName(instanceId: string, name: string, among: Among, { limit }: NameOptions): Sql {
  const condition = among.condition === undefined ? sql`` : sql`and ${among.condition}`;
  return sql`select * from (select ${foundColumns(instanceId)}, ${among.rank} as "rank", ${among.reach} as "reach", ${among.since} as "since",
      case when u.email_key = ${name} and u.username_key <> ${name} and u.login_name_key <> ${name} then 1 else 0 end as "isOnlyEmail"
    from ${among.from ?? sql`users`} u
    where u.instance_id = ${instanceId} ${condition} ${among.where} order by ${among.first ?? sql``} "reach" desc, "since", u.user_id limit ${limit}) x`;
}

/** The statement of users whom a name means for each of the four reasons, of one organization when one is given. */
function meantBy(instanceId: string, name: string, organization: Sql | undefined, options: NameOptions): Sql {
  const none = sql``;
  // Names are unique within the organization alone. The other conditions find a few users in the whole instance, and an
  // engine must not read all users of the organization instead.
  const within = organization === undefined ? none : sql`and u.organization_id = ${organization}`;
  const apart = organization === undefined ? none : sql`and (u.organization_id || '') = ${organization}`;
  const held = { by: "email", value: name, organization } as const;
  const address = (rank: Sql, from: Sql, reach: Sql, since: Sql): Sql => {
    const among = { from, rank, reach, since, where: none };
    return withName(instanceId, name, { ...among, first: activeUsersFirst(instanceId) }, options);
  };
  const isWideAlone = options.isWide === true && organization === undefined;
  const named = (rank: Sql, condition: Sql, where: Sql): Sql => {
    const since = sql`u.username_set_at`;
    const reach = reachOfName(instanceId);
    const given = options.isWide === true ? sql`${where} and ${isGiven}` : where;
    const wide = isWideAlone ? sql`${given} and ${reach} > 0` : given;
    return withName(instanceId, name, { rank, reach, since, condition, where: wide }, options);
  };
  const proven = holdersByCode(instanceId, held, options);
  const said = holdersByWord(instanceId, held, options);
  const addresses = sql`${address(sql`'proven_email'`, proven, sql`3`, sql`u.email_proven_at`)}
    union all ${address(sql`'verified_email'`, said, reachOfWord(instanceId), sql`coalesce(u.email_verified_at, 0)`)}`;
  if (isWideAlone && name.includes("@")) return addresses;
  // `union all`: to remove duplicates SQLite would read all users in order instead of the few by index.
  return sql`${addresses}
    union all ${named(sql`'username'`, sql`u.username_key = ${name}`, within)}
    union all ${named(sql`'login_name'`, sql`u.login_name_key = ${name}`, apart)}`;
}

/**
 * Lists users whom a name means, of one organization when one is given, each with the reason; a user with several
 * reasons appears as often. At most `limit` for each reason, so that a very common name costs no more than others.
 */
export async function listUsersOfName(
  reader: Reader,
  instanceId: string,
  name: string,
  options: NameOptions & { readonly organizationId?: string | undefined },
): Promise<UserOfName[]> {
  const { organizationId } = options;
  const organization = organizationId === undefined ? undefined : sql`${organizationId}`;
  const read = (one: NameOptions): Promise<UserOfName[]> =>
    reader.all<UserOfName>(meantBy(instanceId, name, organization, one));
  const found = await read(options);
  if (organizationId !== undefined) return found;
  return withActive(reader, { instanceId, contact: { by: "email", value: name }, found }, options, read);
}

/**
 * Lists active users with a verified address that leads to a mailbox (`mailboxOf`), each with the reason; at most
 * `limit` for each reason of those with the address itself, and of those with a "+" in theirs.
 */
export async function listUsersOfMailbox(
  reader: Reader,
  instanceId: string,
  mailbox: string,
  options: NameOptions,
): Promise<UserOfName[]> {
  const first = activeUsersFirst(instanceId);
  const proven = { rank: sql`'proven_email'`, reach: sql`3`, since: sql`u.email_proven_at` };
  const verified = {
    rank: sql`'verified_email'`,
    reach: reachOfWord(instanceId),
    since: sql`coalesce(u.email_verified_at, 0)`,
  };
  const holding = async (by: "email" | "mailbox"): Promise<UserOfName[]> => {
    const held = { by, value: mailbox, organization: undefined };
    const having = (among: Pick<Among, "from" | "rank" | "reach" | "since">, one: NameOptions): Sql =>
      withName(instanceId, mailbox, { ...among, where: sql``, first }, one);
    const read = (one: NameOptions): Promise<UserOfName[]> =>
      reader.all<UserOfName>(sql`${having({ ...proven, from: holdersByCode(instanceId, held, one) }, one)}
        union all ${having({ ...verified, from: holdersByWord(instanceId, held, one) }, one)}`);
    return withActive(reader, { instanceId, contact: held, found: await read(options) }, options, read);
  };
  const found = await Promise.all([holding("email"), holding("mailbox")]);
  return found.flat().filter(isActive);
}

/** The organization whose users a name with its domain means. */
export interface DomainOwner {
  readonly organizationId: string;
  readonly state: "active" | "inactive";
}

/** A name whose part behind the `@` may be the domain of an organization. */
export interface QualifiedName {
  readonly key: string;
  readonly local: string;
  readonly domain: string;
}

export interface UsersInDomain {
  /** Undefined when the domain is not an organization's. */
  readonly owner: DomainOwner | undefined;
  /** Users of the whole instance; none where the search is for one organization. */
  readonly everywhere: readonly UserOfName[];
  /** Those of the owner, or of the organization that the search is for. */
  readonly inside: readonly UserOfName[];
  /** The owner's user with the part before the `@` as username. */
  readonly qualified: UserOfName | undefined;
}

/**
 * Finds the owner of a name's domain and the users whom the name means, there and in the whole instance. One statement,
 * so that a name costs the same whether or not it is known. Within a given organization, a domain counts that it
 * claimed.
 */
export async function findUsersInDomain(
  reader: Reader,
  instanceId: string,
  name: QualifiedName,
  options: NameOptions & { readonly organizationId?: string | undefined },
): Promise<UsersInDomain> {
  const found = await readInDomain(reader, instanceId, name, options);
  const anywhere = { instanceId, contact: { by: "email", value: name.key }, found: found.everywhere } as const;
  const everywhere = await withActive(reader, anywhere, options, async (again) => {
    const { everywhere: active } = await readInDomain(reader, instanceId, name, { ...options, ...again });
    return active;
  });
  return { ...found, everywhere };
}

async function readInDomain(
  reader: Reader,
  instanceId: string,
  { key, local, domain }: QualifiedName,
  options: NameOptions & { readonly organizationId?: string | undefined },
): Promise<UsersInDomain> {
  const { organizationId } = options;
  const ownerId = sql`(select organization_id from owner)`;
  const inside = organizationId === undefined ? ownerId : sql`${organizationId}`;
  const username = {
    rank: sql`'username'`,
    reach: sql`0`,
    since: sql`u.username_set_at`,
    condition: sql`u.username_key = ${local}`,
    where: sql`and u.organization_id = ${ownerId}${options.isWide === true ? sql` and ${isGiven}` : sql``}`,
  };
  const everywhere =
    organizationId === undefined
      ? sql`select 'everywhere' as "scope", e.* from (${meantBy(instanceId, key, undefined, options)}) e union all`
      : sql``;
  const rows = await reader.all<Partial<UserOfName> & ScopeRow>(sql`with owner as (
      select d.organization_id, o.state from organization_domains d
      join organizations o on o.instance_id = d.instance_id and o.organization_id = d.organization_id
      where d.instance_id = ${instanceId} and d.domain = ${domain}
        and ${organizationId === undefined ? sql`d.is_proven = 1` : sql`d.organization_id = ${organizationId} and d.is_verified = 1`})
    select owner.organization_id as "ownerId", owner.state as "ownerState", found.*
    from (select 1 as present) base left join owner on base.present = 1
    left join (${everywhere} select 'inside' as "scope", i.* from (${meantBy(instanceId, key, inside, options)}) i
      union all select 'qualified' as "scope", q.* from (${withName(instanceId, key, username, options)}) q) found on base.present = 1`);
  const of = (scope: ScopeRow["scope"]): UserOfName[] =>
    rows.filter((row): row is UserOfName & ScopeRow => row.scope === scope);
  const [first] = rows;
  const { ownerId: foundId = null, ownerState = null } = first ?? {};
  return {
    owner: foundId === null || ownerState === null ? undefined : { organizationId: foundId, state: ownerState },
    everywhere: of("everywhere"),
    inside: of("inside"),
    qualified: of("qualified")[0],
  };
}

interface ScopeRow {
  readonly ownerId: string | null;
  readonly ownerState: DomainOwner["state"] | null;
  readonly scope: "everywhere" | "inside" | "qualified" | null;
}

/** Whether a user of another organization has the login name. */
export async function isLoginNameElsewhere(reader: Tx, organizationId: string, name: string): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from users
    where instance_id = ${reader.instanceId} and login_name_key = ${name} and organization_id <> ${organizationId}`);
  return row !== undefined;
}

/** Returns those of the names that are login names of users of other organizations. */
export async function listLoginNamesElsewhere(
  tx: Tx,
  organizationId: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.all<{ name: string }>(sql`select login_name_key as "name" from users
    where instance_id = ${tx.instanceId} and login_name_key in ${list(names)} and organization_id <> ${organizationId}`);
  return rows.map(({ name }) => name);
}

/** A user with a confirmed phone number, and how it was confirmed. */
export interface UserOfPhone extends FoundUser {
  readonly rank: "proven" | "verified";
  readonly reach: Reach;
  /** Since when the number counts as verified; of one that was proven by a code, since the code. */
  readonly since: number;
}

/**
 * Lists users with a confirmed phone number, of one organization when one is given; at most `limit` who proved it by a
 * code, and as many whose number others asserted.
 */
export async function listUsersByPhone(
  reader: Reader,
  instanceId: string,
  number: string,
  options: { readonly organizationId: string | undefined; readonly limit: number },
): Promise<UserOfPhone[]> {
  const { organizationId } = options;
  const organization = organizationId === undefined ? undefined : sql`${organizationId}`;
  const held = { by: "phone", value: number, organization } as const;
  const having = (
    rank: Sql,
    from: Sql,
  ): Sql => sql`select * from (select ${foundColumns(instanceId)}, ${rank} as "rank",
      case when u.is_phone_proof_wide = 1 then 3 else ${ofDefault(instanceId)} end as "reach", coalesce(u.phone_verified_at, 0) as "since"
    from ${from} u where u.instance_id = ${instanceId}
    order by ${activeUsersFirst(instanceId)} "reach" desc, "since", u.user_id limit ${options.limit}) x`;
  const read = (one: NameOptions): Promise<UserOfPhone[]> =>
    reader.all<UserOfPhone>(sql`${having(sql`'proven'`, holdersByCode(instanceId, held, one))}
      union all ${having(sql`'verified'`, holdersByWord(instanceId, held, one))}`);
  const found = await read(options);
  return organization === undefined ? withActive(reader, { instanceId, contact: held, found }, options, read) : found;
}

/**
 * Returns whether a new user of an organization cannot have the address as a name. That is so if a user there has it as
 * username, as login name or as a verified address, or any user of the instance proved it by a code. What users of
 * other organizations entered, and what their administrators say of it, does not count.
 */
export async function isNameInUse(
  reader: Reader,
  instanceId: string,
  { organizationId, name }: { readonly organizationId: string; readonly name: string },
): Promise<boolean> {
  const organization = sql`${organizationId}`;
  const holders = [
    firstHolders(instanceId, { by: "email", value: name, standing: "code" }, 1),
    firstHolders(instanceId, { by: "email", value: name, standing: "wide", organization }, 1),
    firstHolders(instanceId, { by: "email", value: name, standing: "word", organization }, 1),
  ];
  const having = (condition: Sql): Sql =>
    sql`select 1 as "found" from users where instance_id = ${instanceId} and ${condition}`;
  const here = sql`organization_id = ${organizationId}`;
  const row = await reader.maybe<{ found: number }>(sql`${having(sql`username_key = ${name} and ${here}`)}
    union all ${having(sql`login_name_key = ${name} and ${here}`)}
    union all select 1 from (${join(holders, " union all ")}) held limit 1`);
  return row !== undefined;
}

/**
 * Returns whether a user of an organization has the username, or the email address, verified or not; undefined is not
 * checked.
 */
export async function isNameTakenInOrganization(
  reader: Reader,
  instanceId: string,
  name: {
    readonly organizationId: string;
    readonly usernameKey: string | undefined;
    readonly emailKey: string | undefined;
  },
): Promise<boolean> {
  const { organizationId, usernameKey = null, emailKey = null } = name;
  const having = (condition: Sql): Sql => sql`select 1 as "found" from users
    where instance_id = ${instanceId} and organization_id = ${organizationId} and ${condition}`;
  const row = await reader.maybe<{ found: number }>(sql`${having(sql`username_key = ${usernameKey}`)}
    union all ${having(sql`(email_key || '') = ${emailKey} and email_key is not null`)} limit 1`);
  return row !== undefined;
}
