import { Fault } from "../../base/fault.ts";
import { addressKey, spellingsOf } from "../../base/names/address-key.ts";
import {
  join,
  list,
  ofAnyNumber,
  picked,
  type Sql,
  sql,
  type TextMethod,
  text,
  textFilter,
} from "../../database/index.ts";
import { compactDigits, compactPhone } from "../login-name/index.ts";
import { isInNoForeignDomain } from "../organization/index.ts";
import type { UserKind, UserState } from "../user/index.ts";
import type { UserTextField } from "./user-fields.store.ts";

/** A condition on users. Conditions may be nested up to 20 deep. */
export type UserFilter =
  | { readonly by: UserTextField; readonly method: TextMethod; readonly value: string }
  /** `deleted` is a state that no user has, because deleted users are gone. */
  | { readonly by: "state"; readonly state: UserState | "deleted" }
  /** Locked, or with a password or second factor that is blocked after too many wrong attempts. */
  | { readonly by: "blocked" }
  | { readonly by: "kind"; readonly kind: UserKind }
  | { readonly by: "ids"; readonly ids: readonly string[] }
  | { readonly by: "emails"; readonly emails: readonly string[] }
  | { readonly by: "organization"; readonly organizationId: string }
  /** Users with an account at an identity provider. */
  | { readonly by: "identityProvider"; readonly identityProviderId: string }
  | { readonly by: "metadataKey"; readonly method: TextMethod; readonly key: string }
  | { readonly by: "metadataValue"; readonly isEqual: boolean; readonly value: Uint8Array }
  | { readonly by: "and"; readonly filters: readonly UserFilter[] }
  | { readonly by: "or"; readonly filters: readonly UserFilter[] }
  | { readonly by: "not"; readonly filter: UserFilter };

const deepest = 20;
// Each value is a parameter twice, and lists are filled up to a power of two; SQLite takes 32,766 parameters.
const mostValues = 8192;
const mostParameters = 10_000;

/**
 * Converts filters to conditions on the table `users`, for candidates that were found: they match no index, so that
 * they never lead an engine away from the chosen one (`user-candidates.store.ts`). Refuses too many.
 */
export function toConditions(instanceId: string, filters: readonly UserFilter[]): Sql[] {
  const conditions = filters.map((filter) => toCondition(instanceId, filter));
  const count = conditions.reduce((sum, { values }) => sum + values.length, 0);
  if (count > mostParameters) throw refusal("user.filter_too_large", mostValues);
  return conditions;
}

/**
 * Returns all filters that must hold, each by itself: the content of an `and` is taken out of it. Refuses too deep
 * nesting.
 */
export function flatten(filters: readonly UserFilter[]): UserFilter[] {
  for (const filter of filters) refuseDepth(filter, 1);
  return takeApart(filters);
}

function refuseDepth(filter: UserFilter, depth: number): void {
  if (depth > deepest) throw refusal("user.filter_too_deep", deepest);
  if (filter.by === "not") refuseDepth(filter.filter, depth + 1);
  if (filter.by === "and" || filter.by === "or") for (const each of filter.filters) refuseDepth(each, depth + 1);
}

const takeApart = (filters: readonly UserFilter[]): UserFilter[] =>
  filters.flatMap((filter) =>
    filter.by === "and" && filter.filters.length > 0 ? takeApart(filter.filters) : [filter],
  );

/** Returns whether the method compares whole texts, with or without their case. */
export const isEquality = (method: TextMethod): boolean => method === "equals" || method === "equals_ignore_case";

/** Converts what the method compares of a phone number from how people type it to how it is stored. */
export const toPhone = (method: TextMethod, value: string): string =>
  isEquality(method) || method.startsWith("starts_with") ? compactPhone(value) : compactDigits(value);

function toCondition(instanceId: string, filter: UserFilter): Sql {
  const inner = (each: UserFilter): Sql => toCondition(instanceId, each);
  switch (filter.by) {
    case "state":
      return picked(sql`users.state = ${filter.state}`);
    case "blocked":
      return sql`(users.state = 'locked' or users.password_blocked_at is not null or exists (select ${ofAnyNumber} 1
        from user_factors f where f.instance_id = ${instanceId} and f.user_id = users.user_id and f.blocked_at is not null))`;
    case "kind":
      return picked(sql`users.kind = ${filter.kind}`);
    case "ids":
      return sql`(users.user_id || '') in ${list(filter.ids)}`;
    case "emails":
      return sql`(users.email_key || '') in ${list(filter.emails.map(addressKey))}`;
    case "organization":
      return picked(sql`users.organization_id = ${filter.organizationId}`);
    case "identityProvider":
      return isOwnerOf(sql`identity_links l where l.instance_id = ${instanceId} and l.user_id = users.user_id
        and (l.identity_provider_id || '') = ${filter.identityProviderId}`);
    case "metadataKey":
      return hasMetadata(instanceId, textFilter(text("m.metadata_key"), filter.method, filter.key));
    case "metadataValue":
      return hasMetadata(instanceId, isValue(filter));
    case "and":
      return combine(filter.filters.map(inner), " and ");
    case "or":
      return combine(filter.filters.map(inner), " or ");
    case "not":
      // A condition on something that a user lacks is neither true nor false to the database; here it is not true.
      return sql`(${inner(filter.filter)}) is not true`;
    default:
      return textCondition(instanceId, filter);
  }
}

function textCondition(instanceId: string, filter: Extract<UserFilter, { readonly by: UserTextField }>): Sql {
  const { by, method, value } = filter;
  switch (by) {
    case "loginName":
      return isEquality(method) ? loginNameIs(instanceId, method, value) : loginNameHas(instanceId, method, value);
    case "phone":
      return textFilter(columns.phone, method, toPhone(method, value));
    default:
      return textFilter(columns[by], method, value);
  }
}

const columns = {
  username: text("users.username"),
  givenName: text("users.given_name"),
  familyName: text("users.family_name"),
  nickName: text("users.nick_name"),
  displayName: text("users.display_name"),
  email: text("users.email"),
  phone: text("users.phone"),
} as const;

function loginNameHas(instanceId: string, method: TextMethod, value: string): Sql {
  return sql`(${textFilter(text("users.preferred_login_name"), method, value)} or exists (select ${ofAnyNumber} 1 from organization_domains d
    where d.instance_id = ${instanceId} and d.organization_id = users.organization_id and d.is_proven = 1
      and d.is_primary = 0 and ${textFilter(text("(users.username || '@' || d.domain)"), method, value)}))`;
}

/**
 * The users whose login name has the same key, by index; then whether it is identical, in either spelling of its
 * domain. Sign-in applications ask this for every user.
 */
export function loginNameIs(instanceId: string, method: TextMethod, value: string): Sql {
  const key = addressKey(value);
  const at = key.lastIndexOf("@");
  const is = (name: Sql): Sql =>
    sql`(${join(
      spellingsOf(value).map((spelling) => textFilter(name, method, spelling)),
      " or ",
    )})`;
  return sql`users.user_id in (select k.user_id from users k
      where k.instance_id = ${instanceId} and k.login_name_key = ${key}
        and ${isInNoForeignDomain(instanceId, key, text("k.organization_id"))} and ${is(text("k.preferred_login_name"))}
    union all select k.user_id from organization_domains d
      join users k on k.instance_id = d.instance_id and k.organization_id = d.organization_id
        and k.username_key = ${key.slice(0, Math.max(at, 0))}
      where d.instance_id = ${instanceId} and d.domain = ${key.slice(at + 1)} and d.is_proven = 1 and d.is_primary = 0
        and ${is(text("(k.username || '@' || d.domain)"))})`;
}

const hasMetadata = (instanceId: string, condition: Sql): Sql =>
  isOwnerOf(sql`metadata m where m.instance_id = ${instanceId} and m.owner_type = 'user' and m.owner_id = users.user_id
    and ${condition}`);

/**
 * Whether a user has a row, which is looked up for each user by itself. For `exists` PostgreSQL may read the rows of
 * all users first.
 */
const isOwnerOf = (rows: Sql): Sql => sql`(select ${ofAnyNumber} 1 from ${rows} limit 1) is not null`;

function isValue({ value, isEqual }: { readonly value: Uint8Array; readonly isEqual: boolean }): Sql {
  const stored = Buffer.from(value).toString("base64");
  return isEqual ? sql`m.metadata_value = ${stored}` : sql`m.metadata_value <> ${stored}`;
}

function combine(conditions: readonly Sql[], separator: string): Sql {
  if (conditions.length === 0) throw new Fault("invalid_argument", "filter.invalid", { field: "queries" });
  return sql`(${join(conditions, separator)})`;
}

const refusal = (slug: "user.filter_too_large" | "user.filter_too_deep", maximum: number): Fault =>
  new Fault("invalid_argument", slug, { field: "queries", values: { maximum } });
