import { canonicalName } from "../../base/canonical.ts";
import { foldCase } from "../../base/fold-case.ts";
import {
  type Candidates,
  fold,
  foldedCandidates,
  join,
  list,
  type Reader,
  type Sql,
  sql,
  type TextMethod,
  text,
} from "../../database/index.ts";
import { foldedFields, isAmong, isFolded, ofList, searchedWords, type UserTextField } from "./user-fields.store.ts";
import { isEquality, loginNameIs, toPhone, type UserFilter } from "./user-filter.store.ts";

export interface Place {
  readonly engine: Reader["engine"];
  readonly instanceId: string;
  /** What finds hardly anybody by itself (`readCommonParts`). */
  readonly commonParts: ReadonlySet<string>;
}

/** The candidates of a filter, if an index finds any. What is negated has none. */
export function candidatesOf(place: Place, filter: UserFilter): Candidates | undefined {
  switch (filter.by) {
    case "ids":
      return few(sql`users.user_id in ${list(filter.ids)}`, filter.ids.length);
    case "emails":
      return { condition: sql`users.email_key in ${list(filter.emails.map(canonicalName))}`, isExact: true };
    case "organization":
      return { condition: sql`users.organization_id = ${filter.organizationId}`, isExact: true };
    case "state":
      return { condition: sql`users.state = ${filter.state}`, isExact: true };
    case "kind":
      return { condition: sql`users.kind = ${filter.kind}`, isExact: true };
    case "metadataKey":
      return keyCandidates(place, filter);
    case "metadataValue":
      return filter.isEqual ? valueCandidates(place, filter.value) : undefined;
    case "and":
      return filter.filters.map((each) => candidatesOf(place, each)).find((each) => each !== undefined);
    case "or":
      return unionOf(place, filter.filters);
    case "not":
      return undefined;
    default:
      return textCandidates(place, filter);
  }
}

/** Whether a filter may be looked for by parts of its text. */
export function isOfWords(filter: UserFilter): boolean {
  if (filter.by === "and" || filter.by === "or") return filter.filters.some(isOfWords);
  return "method" in filter && filter.by !== "metadataKey" && !isEquality(filter.method);
}

const few = (condition: Sql, atMost: number): Candidates => ({ condition, isExact: true, atMost });

// No `or` over two indexes: statements that each have their own.
function unionOf(place: Place, filters: readonly UserFilter[]): Candidates | undefined {
  const all = filters.map((filter) => candidatesOf(place, filter)).filter((each) => each !== undefined);
  if (all.length === 0 || all.length < filters.length) return undefined;
  const ids = all.map(
    ({ condition }) => sql`select users.user_id from users where ${ofList(place.instanceId)} and ${condition}`,
  );
  const condition = isAmong(place.engine, join(ids, " union all "));
  const atMost = all.reduce((sum, each) => sum + (each.atMost ?? Number.POSITIVE_INFINITY), 0);
  return { condition, isExact: false, ...(Number.isFinite(atMost) && { atMost }) };
}

interface TextSearch {
  readonly by: UserTextField;
  readonly method: TextMethod;
  readonly value: string;
}

function textCandidates(place: Place, filter: TextSearch): Candidates | undefined {
  const { by, method, value } = filter;
  if (by === "loginName") return loginNameCandidates(place, filter);
  const folded = isFolded(by) ? foldedCandidates(foldedFields[by], method, value) : undefined;
  if (folded !== undefined) return folded;
  return wordCandidates(place, by === "phone" ? toPhone(value) : value);
}

function loginNameCandidates(place: Place, { method, value }: TextSearch): Candidates | undefined {
  const { instanceId } = place;
  if (isEquality(method)) return few(loginNameIs(instanceId, method, value), 2);
  const words = wordCandidates(place, value);
  if (words === undefined) return undefined;
  // A name may also end in another domain of the organization: there the part after the last @ is in the domain.
  const part = value.slice(value.lastIndexOf("@") + 1);
  const condition = isAmong(
    place.engine,
    sql`select users.user_id from users where users.instance_id = ${instanceId} and ${words.condition}
    union all select users.user_id from organization_domains d
      join users on users.instance_id = d.instance_id and users.organization_id = d.organization_id
      where d.instance_id = ${instanceId} and d.is_verified = 1 and d.is_primary = 0 and strpos(lower(d.domain), lower(${part})) > 0`,
  );
  return { condition, isExact: false };
}

// Parts of a text that are looked for. SQLite meets those that nearly everybody has ("com") again for each user who has the others, so that more of
// them are cheaper; PostgreSQL reads on in the list of each, so that those are left out.
const mostParts = { sqlite: 16, postgres: 8 } as const;

/** Users one of whose texts contains a text, without regard to case; an index knows all that have three letters. */
export function wordCandidates({ engine, instanceId, commonParts }: Place, value: string): Candidates | undefined {
  // PostgreSQL folds by itself, because it may know other letters.
  const letters = [...(engine === "postgres" ? value : foldCase(value))];
  if (letters.length < 3 || value.includes("\0")) return undefined;
  const all = letters.slice(2).map((_letter, index) => letters.slice(index, index + 3).join(""));
  if (engine === "postgres") {
    const parts = spread(rare(known(all), commonParts), Math.min(mostParts.postgres, Math.ceil(letters.length / 3)));
    const conditions = parts.map((part) => sql`${searchedWords} like ${fold(sql`${toPattern(part)}`)}`);
    return { condition: sql`(${join(conditions, " and ")})`, isExact: false };
  }
  // By their ids, and never the other way round: among numbers SQLite would look for all users of the instance, whom it takes for ten.
  const found = sql`select found.user_id as "id" from user_words cross join users found on found.search_number = user_words.rowid
    where user_words match ${toMatch(spread(all, mostParts.sqlite))} and found.instance_id = ${instanceId}`;
  // What a condition is in is read to its end first.
  return {
    condition: sql`users.user_id in (${found})`,
    isExact: false,
    first: (count) => sql`${found} limit ${count}`,
  };
}

/** Those that the index of PostgreSQL knows, which are of letters and digits; all, when it knows none. */
function known(parts: readonly string[]): readonly string[] {
  const words = parts.filter((part) => /^[\p{L}\p{N}]+$/u.test(part));
  return words.length > 0 ? words : parts;
}

/** Those that only some people have; all, when there is none. */
function rare(parts: readonly string[], common: ReadonlySet<string>): readonly string[] {
  const words = parts.filter((part) => !common.has(foldCase(part)));
  return words.length > 0 ? words : parts;
}

/** So many of the parts, spread over all. */
function spread(parts: readonly string[], most: number): string[] {
  const count = Math.min(most, parts.length);
  const step = (parts.length - 1) / Math.max(1, count - 1);
  return [...new Set(Array.from({ length: count }, (_each, index) => parts[Math.round(index * step)] ?? ""))];
}

const toPattern = (part: string): string => `%${part.replace(/[\\%_]/g, "\\$&")}%`;

const toMatch = (parts: readonly string[]): string =>
  parts.map((part) => `"${part.replaceAll('"', '""')}"`).join(" AND ");

const metadataOfUsers = text("m.owner_type = 'user'");

function keyCandidates(
  { engine, instanceId }: Place,
  { method, key }: Extract<UserFilter, { readonly by: "metadataKey" }>,
): Candidates | undefined {
  if (method !== "equals") return undefined;
  const ids = sql`select m.owner_id from metadata m where m.instance_id = ${instanceId} and ${metadataOfUsers} and m.metadata_key = ${key}`;
  return { condition: isAmong(engine, ids), isExact: false };
}

function valueCandidates({ engine, instanceId }: Place, value: Uint8Array): Candidates {
  const stored = Buffer.from(value).toString("base64");
  const ids = sql`select m.owner_id from metadata m where m.instance_id = ${instanceId} and ${metadataOfUsers}
    and substr(m.metadata_value, 1, 100) = ${stored.slice(0, 100)} and m.metadata_value = ${stored}`;
  return { condition: isAmong(engine, ids), isExact: false };
}
