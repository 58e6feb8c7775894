import { addressKey } from "../../base/names/address-key.ts";
import {
  type Candidates,
  caselessCandidates,
  foldedCandidates,
  join,
  list,
  type Part,
  type Sql,
  sql,
  type TextMethod,
  text,
} from "../../database/index.ts";
import { foldedFields, isAmong, isFolded, ofList, type UserTextField } from "./user-fields.store.ts";
import { isEquality, loginNameIs, toPhone, type UserFilter } from "./user-filter.store.ts";
import { type SearchContext, wordCandidates } from "./user-words.store.ts";

/** Returns the candidates of a filter, if an index finds any. Negations have none. */
export function candidatesOf(context: SearchContext, filter: UserFilter): Candidates | undefined {
  switch (filter.by) {
    case "ids":
      return few(sql`users.user_id in ${list(filter.ids)}`, filter.ids.length);
    case "emails":
      return { condition: sql`users.email_key in ${list(filter.emails.map(addressKey))}`, isExact: true };
    case "organization":
      return counted(context, sql`users.organization_id = ${filter.organizationId}`);
    case "state":
      return counted(context, sql`users.organization_id = '' and users.state = ${filter.state}`, {
        condition: sql`users.state = ${filter.state}`,
      });
    case "blocked":
      return blockedCandidates(context);
    case "kind":
      return counted(context, sql`users.organization_id = '' and users.kind = ${filter.kind}`, {
        condition: sql`users.kind = ${filter.kind}`,
      });
    case "identityProvider":
      return linkedCandidates(context, filter.identityProviderId);
    case "metadataKey":
      return keyCandidates(context, filter);
    case "metadataValue":
      return filter.isEqual ? valueCandidates(context, filter.value) : undefined;
    case "and":
      return filter.filters.map((each) => candidatesOf(context, each)).find((each) => each !== undefined);
    case "or":
      return unionOf(context, filter.filters);
    case "not":
      return undefined;
    default:
      return textCandidates(context, filter);
  }
}

/** Returns whether a filter may be searched by parts of its text. */
export function isOfWords(filter: UserFilter): boolean {
  if (filter.by === "and" || filter.by === "or") return filter.filters.some(isOfWords);
  if (!("method" in filter) || filter.by === "metadataKey") return false;
  return /^(?:contains|ends_with)/.test(filter.method);
}

const few = (condition: Sql, atMost: number): Candidates => ({ condition, isExact: true, atMost });

/** Users by what they are counted by: `of` picks the counts, whose columns have the same names as those of users. */
function counted(
  { instanceId }: SearchContext,
  of: Sql,
  { condition }: { readonly condition: Sql } = { condition: of },
): Candidates {
  const count = sql`(select coalesce(sum(users.amount), 0) from user_counts users where users.instance_id = ${instanceId} and ${of})`;
  return { condition, isExact: true, count, parts: [{ from: text("users"), where: condition }] };
}

// No `or` over two indexes: a statement for each index instead.
function unionOf(context: SearchContext, filters: readonly UserFilter[]): Candidates | undefined {
  const all = filters.map((filter) => candidatesOf(context, filter)).filter((each) => each !== undefined);
  if (all.length === 0 || all.length < filters.length) return undefined;
  const atMost = all.reduce((sum, each) => sum + (each.atMost ?? Number.POSITIVE_INFINITY), 0);
  const parts = all.flatMap(
    ({ condition, inOrderOf, parts: own }) => own ?? [{ from: text("users"), where: condition, inOrderOf }],
  );
  return { ...unionOfParts(context, parts), ...(Number.isFinite(atMost) && { atMost }) };
}

// The same words are often searched for several fields.
function unionOfParts({ engine, instanceId }: SearchContext, parts: readonly Part[]): Candidates {
  const different = [...new Map(parts.map((part) => [keyOf(part), part])).values()];
  const ids = different.map(
    ({ from, where }) => sql`select users.user_id from ${from} where ${ofList(instanceId)} and ${where}`,
  );
  return { condition: isAmong(engine, join(ids, " union all ")), isExact: false, parts: different };
}

const keyOf = ({ from, where }: Part): string =>
  JSON.stringify([from.shape.sqlite, from.values, where.shape.sqlite, where.values]);

// Each has an index.
function blockedCandidates({ engine, instanceId }: SearchContext): Candidates {
  const ids = sql`select users.user_id from users where ${ofList(instanceId)} and users.state = 'locked'
    union all select p.user_id from users p where p.instance_id = ${instanceId} and p.password_blocked_at is not null
    union all select f.user_id from user_factors f where f.instance_id = ${instanceId} and f.blocked_at is not null`;
  return { condition: isAmong(engine, ids), isExact: true };
}

interface TextSearch {
  readonly by: UserTextField;
  readonly method: TextMethod;
  readonly value: string;
}

function textCandidates(context: SearchContext, filter: TextSearch): Candidates | undefined {
  const { by, method, value } = filter;
  if (by === "loginName") return loginNameCandidates(context, filter);
  if (by === "phone") return phoneCandidates(context, method, toPhone(method, value));
  return (
    (isFolded(by) ? foldedCandidates(foldedFields[by], method, value) : undefined) ?? wordCandidates(context, value)
  );
}

// Numbers have no letters, so no case to ignore.
const phoneCandidates = (context: SearchContext, method: TextMethod, number: string): Candidates | undefined =>
  caselessCandidates(text("users.phone"), method, number) ?? wordCandidates(context, number);

function loginNameCandidates(context: SearchContext, { method, value }: TextSearch): Candidates | undefined {
  const { instanceId } = context;
  if (isEquality(method)) return few(loginNameIs(instanceId, method, value), 2);
  if (method.startsWith("starts_with")) return loginNameBeginnings(context, value);
  const words = wordCandidates(context, value);
  if (words === undefined) return undefined;
  // A name may also end in another domain of the organization: then the part after the last @ is in the domain.
  const part = value.slice(value.lastIndexOf("@") + 1);
  const isInDomain = sql`d.instance_id = ${instanceId} and d.is_proven = 1 and d.is_primary = 0
    and strpos(lower(d.domain), lower(${part})) > 0`;
  // With `cross join` SQLite begins with the domains.
  const ofDomains = {
    from: sql`(select distinct d.organization_id from organization_domains d where ${isInDomain}) named cross join users`,
    where: text("users.organization_id = named.organization_id"),
  };
  return unionOfParts(context, [...words.parts, ofDomains]);
}

/**
 * A login name is the username, or begins with it and an @: then what follows is the beginning of a domain, which has
 * no further @.
 */
function loginNameBeginnings(context: SearchContext, value: string): Candidates | undefined {
  const username = foldedFields.username;
  const at = value.lastIndexOf("@");
  const found = [
    foldedCandidates(username, "starts_with_ignore_case", value),
    at === -1 ? undefined : foldedCandidates(username, "equals_ignore_case", value.slice(0, at)),
  ].filter((each) => each !== undefined);
  if (found.length === 0) return undefined;
  return unionOfParts(
    context,
    found.map(({ condition }) => ({ from: text("users"), where: condition })),
  );
}

function linkedCandidates({ engine, instanceId }: SearchContext, identityProviderId: string): Candidates {
  const ofProvider = sql`l.instance_id = ${instanceId} and l.identity_provider_id = ${identityProviderId}`;
  // A user may have several accounts at a provider: the first one counts. Compared row by row, because `distinct` would
  // read all links before the first user; the index of users finds the few of each.
  const isFirst = sql`(l.external_user_id, l.speaker, l.asserted_in) = (
    select e.external_user_id, e.speaker, e.asserted_in from identity_links e where e.instance_id = ${instanceId}
      and e.user_id = l.user_id and (e.identity_provider_id || '') = ${identityProviderId}
    order by e.external_user_id, e.speaker, e.asserted_in limit 1)`;
  const isUser = sql`users.instance_id = ${instanceId} and users.user_id = l.user_id`;
  // With `offset` PostgreSQL looks up one user after another, as SQLite does, and does not read all of them.
  const from =
    engine === "sqlite"
      ? text("identity_links l cross join users")
      : sql`identity_links l cross join lateral (select * from users where ${isUser} offset 0) users`;
  return {
    condition: isAmong(engine, sql`select l.user_id from identity_links l where ${ofProvider}`),
    isExact: true,
    parts: [{ from, where: sql`${ofProvider} and ${isUser} and ${isFirst}` }],
  };
}

const metadataOfUsers = text("m.owner_type = 'user'");

function keyCandidates(
  { engine, instanceId }: SearchContext,
  { method, key }: Extract<UserFilter, { readonly by: "metadataKey" }>,
): Candidates | undefined {
  if (method !== "equals") return undefined;
  const ids = sql`select m.owner_id from metadata m where m.instance_id = ${instanceId} and ${metadataOfUsers} and m.metadata_key = ${key}`;
  return { condition: isAmong(engine, ids), isExact: false };
}

function valueCandidates({ engine, instanceId }: SearchContext, value: Uint8Array): Candidates {
  const stored = Buffer.from(value).toString("base64");
  const ids = sql`select m.owner_id from metadata m where m.instance_id = ${instanceId} and ${metadataOfUsers}
    and substr(m.metadata_value, 1, 100) = ${stored.slice(0, 100)} and m.metadata_value = ${stored}`;
  return { condition: isAmong(engine, ids), isExact: false };
}
