import { addressKey } from "../../base/names/address-key.ts";
import {
  type Candidates,
  caselessCandidates,
  foldedCandidates,
  join,
  list,
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
      return { condition: sql`users.organization_id = ${filter.organizationId}`, isExact: true };
    case "state":
      return { condition: sql`users.state = ${filter.state}`, isExact: true };
    case "blocked":
      return blockedCandidates(context);
    case "kind":
      return { condition: sql`users.kind = ${filter.kind}`, isExact: true };
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
  return /^(?:contains|ends_with)/.test(filter.method) || (filter.by === "loginName" && !isEquality(filter.method));
}

const few = (condition: Sql, atMost: number): Candidates => ({ condition, isExact: true, atMost });

// No `or` over two indexes: a statement for each index instead.
function unionOf(context: SearchContext, filters: readonly UserFilter[]): Candidates | undefined {
  const all = filters.map((filter) => candidatesOf(context, filter)).filter((each) => each !== undefined);
  if (all.length === 0 || all.length < filters.length) return undefined;
  const ids = all.map(
    ({ condition }) => sql`select users.user_id from users where ${ofList(context.instanceId)} and ${condition}`,
  );
  const condition = isAmong(context.engine, join(ids, " union all "));
  const atMost = all.reduce((sum, each) => sum + (each.atMost ?? Number.POSITIVE_INFINITY), 0);
  return { condition, isExact: false, ...(Number.isFinite(atMost) && { atMost }) };
}

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
  const words = wordCandidates(context, value);
  if (words === undefined) return undefined;
  // A name may also end in another domain of the organization: then the part after the last @ is in the domain. With
  // `cross join` SQLite begins with the domains.
  const part = value.slice(value.lastIndexOf("@") + 1);
  const condition = isAmong(
    context.engine,
    sql`select users.user_id from users where users.instance_id = ${instanceId} and ${words.condition}
    union all select users.user_id from organization_domains d cross join users
      where users.instance_id = ${instanceId} and users.organization_id = d.organization_id and (users.user_id || '') <> ''
        and d.instance_id = ${instanceId} and d.is_proven = 1 and d.is_primary = 0 and strpos(lower(d.domain), lower(${part})) > 0`,
  );
  return { condition, isExact: false };
}

function linkedCandidates({ engine, instanceId }: SearchContext, identityProviderId: string): Candidates {
  const ids = sql`select l.user_id from identity_links l
    where l.instance_id = ${instanceId} and l.identity_provider_id = ${identityProviderId}`;
  return { condition: isAmong(engine, ids), isExact: false };
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
