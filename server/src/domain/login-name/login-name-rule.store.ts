import { inTurn, list, rowLock, type Sql, sql, type Tx, text } from "../../database/index.ts";
import { domainOfName, hasAt } from "./domain-of-name.store.ts";

/** How login names of an organization are formed. */
export interface LoginNameRule {
  readonly organizationId: string;
  readonly primaryDomain: string;
  readonly primaryDomainKey: string;
  /** Whether the username alone is the login name, unless it means a user of another organization. */
  readonly isBare: boolean;
}

/** The columns of names, as the rule forms them; and the condition that a user has others. */
function formed(tx: Tx, rule: LoginNameRule): { readonly shown: Sql; readonly key: Sql; readonly isOther: Sql } {
  const { organizationId, primaryDomain: domain, primaryDomainKey: domainKey } = rule;
  // A username that ends in the domain is the login name itself. Compared by length: `like` would interpret `_` and
  // `%`.
  const endsInDomain = sql`substr(username_key, length(username_key) - ${domainKey.length}) = ${`@${domainKey}`}`;
  // An address that users of several organizations have as their name is not a login name for any of them, nor is one
  // in the domain of another organization.
  const key = text("username_key");
  const isBare = rule.isBare
    ? sql`not (${hasAt(key)} and (exists (select 1 from users k where k.instance_id = ${tx.instanceId}
        and k.organization_id <> ${organizationId} and k.username_key = users.username_key)
      or exists (select 1 from organization_domains d where d.instance_id = ${tx.instanceId}
        and d.domain = ${domainOfName(sql`users.username_key`)} and d.is_proven = 1 and d.organization_id <> ${organizationId})))`
    : sql`1 = 0`;
  const isWhole = sql`${endsInDomain} or ${isBare}`;
  return {
    shown: sql`case when ${isWhole} then username else username || '@' || ${domain} end`,
    key: sql`case when ${isWhole} then username_key else username_key || '@' || ${domainKey} end`,
    isOther: sql`case when ${isWhole} then preferred_login_name <> username or login_name_key <> username_key
      else preferred_login_name <> username || '@' || ${domain} or login_name_key <> username_key || '@' || ${domainKey} end`,
  };
}

/** Lists users of an organization with other login names than the rule forms, after the given one; at most `limit`. */
export async function listOtherwiseNamed(
  tx: Tx,
  rule: LoginNameRule,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await tx.all<{ userId: string }>(sql`select user_id as "userId" from users
    where instance_id = ${tx.instanceId} and organization_id = ${rule.organizationId} and user_id > ${after}
      and ${formed(tx, rule).isOther} order by user_id limit ${limit}`);
  return rows.map(({ userId }) => userId);
}

/**
 * Writes the login names of those of the users of an organization who have others. They are found by id: an engine
 * must not read all users of the organization instead.
 */
export async function updateLoginNames(tx: Tx, rule: LoginNameRule, userIds: readonly string[]): Promise<void> {
  const { shown, key, isOther } = formed(tx, rule);
  await tx.run(sql`update users set preferred_login_name = ${shown}, login_name_key = ${key}
    where instance_id = ${tx.instanceId} and (organization_id || '') = ${rule.organizationId} and user_id in ${list(userIds)}
      and ${isOther}`);
}

/** Gives users login names with a text that no name has, so that they are different from those of all others. */
export async function updateLoginNamesApart(
  tx: Tx,
  rule: LoginNameRule,
  userIds: readonly string[],
  apart: string,
): Promise<void> {
  const end = `-${apart}@`;
  await tx.run(sql`update users set preferred_login_name = username || ${end + rule.primaryDomain},
      login_name_key = username_key || ${end + rule.primaryDomainKey}
    where instance_id = ${tx.instanceId} and (organization_id || '') = ${rule.organizationId} and user_id in ${list(userIds)}`);
}

/** Whether by the rule two users would have one login name: two of the organization, or one of them and another. */
export async function doNamesCollide(tx: Tx, rule: LoginNameRule): Promise<boolean> {
  const { key } = formed(tx, rule);
  const here = sql`instance_id = ${tx.instanceId} and organization_id = ${rule.organizationId}`;
  const row = await tx.maybe(sql`select 1 as "found" from (select ${key} as name from users where ${here}) named
    group by name having count(*) > 1
    union all select 1 from (select ${key} as name from users where ${here}) named
      join users k on k.instance_id = ${tx.instanceId} and k.login_name_key = named.name
        and k.organization_id <> ${rule.organizationId} limit 1`);
  return row !== undefined;
}

/** Marks an organization as one whose names are being formed by a request; the newest counts. */
export async function putNaming(tx: Tx, organizationId: string, naming: string): Promise<void> {
  await tx.run(sql`update organizations set naming = ${naming}
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}
    ${inTurn(tx, "alone", "organization", organizationId)}`);
}

/** All names of an organization are formed by one rule: whichever request was forming them is given up. */
export async function deleteNaming(tx: Tx, organizationId: string): Promise<void> {
  await tx.run(sql`update organizations set naming = null
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and naming is not null
    ${inTurn(tx, "alone", "organization", organizationId)}`);
}

/**
 * Whether the names of an organization are being formed by this request, and by none that came later. The row stays
 * locked, so that the organization keeps its domains until the unit of work ends.
 */
export async function isNaming(tx: Tx, organizationId: string, naming: string): Promise<boolean> {
  const row = await tx.maybe(sql`select 1 as "found" from organizations
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and naming = ${naming}
    ${inTurn(tx, "share", "organization", organizationId)} ${rowLock(tx, "share")}`);
  return row !== undefined;
}

/** Whether the domain of a rule is one of the organization's that names may be formed with: proven, or primary. */
export async function hasDomain(tx: Tx, rule: LoginNameRule): Promise<boolean> {
  const row = await tx.maybe(sql`select 1 as "found" from organization_domains
    where instance_id = ${tx.instanceId} and organization_id = ${rule.organizationId}
      and domain in ${list([rule.primaryDomain, rule.primaryDomainKey])} and (is_proven = 1 or is_primary = 1)`);
  return row !== undefined;
}
