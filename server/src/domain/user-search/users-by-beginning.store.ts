import { addressKey } from "../../base/names/address-key.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import {
  caselessCandidates,
  foldedCandidates,
  join,
  list,
  picked,
  type Reader,
  readerAtLength,
  type Sql,
  sql,
  text,
} from "../../database/index.ts";
import { compactPhone } from "../login-name/index.ts";
import type { UserKind, UserState } from "../user/index.ts";
import { foldedFields, ofList } from "./user-fields.store.ts";
import { isReadable } from "./user-list.store.ts";

/** A user as a search shows them. */
export interface FoundUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly kind: UserKind;
  readonly state: UserState;
  readonly displayName: string;
  readonly preferredLoginName: string;
  readonly email: string | null;
  readonly phone: string | null;
}

interface BeginningSearch {
  readonly value: string;
  /** Only users of this organization. */
  readonly organizationId: string | undefined;
  /** How many are found by each of their texts. */
  readonly limit: number;
}

/** An index that finds users, with its order. */
interface Match {
  readonly condition: Sql;
  readonly column: Sql;
}

const columns = text(`users.user_id as "userId", users.organization_id as "organizationId", users.kind as "kind",
  users.state as "state", users.display_name as "displayName", users.preferred_login_name as "preferredLoginName",
  users.email as "email", users.phone as "phone"`);

// Up to so many users that a caller may read, all are compared; among more, the indexes of texts that few begin with
// are walked.
const few = 5000;
const fewAtOnce = 1024;

/**
 * Finds users that the caller may read by the beginning of a name, address or number, or by id. Some of them twice. The
 * cost does not grow with the number of users: callers who may read all of them find the first of each index. For
 * others, either the texts or the readable users are few, or both are many, and then the first are soon found.
 */
export async function findUsersByBeginning(reader: Reader, call: Call, search: BeginningSearch): Promise<FoundUser[]> {
  const matches = matchesOf(search.value);
  const parts = readableParts(call, search);
  const machines = matchesOfMachines(search.value).map(walk(call, search));
  const walks = union([...matches.map(walk(call, search)), ...machines]);
  if (parts === undefined) return reader.all(walks);
  const conditions = matches.map(({ condition }) => condition);
  const readable = await countUsers(reader, call, parts);
  if (readable > few && (await countUsers(reader, call, conditions)) <= few) return readerAtLength(reader).all(walks);
  const isMatch = picked(join(conditions, " or "));
  const compare = (part: Sql): Sql =>
    sql`select ${columns} from users where ${ofList(call.instanceId)} and ${part} and ${isReadable(call)}
      and ${isMatch} limit ${search.limit * matches.length}`;
  // Service accounts once more by themselves, so that no number of people hides them; kept from the indexes.
  const ofMachines = parts.map((part) => compare(sql`${part} and (users.kind || '') = 'machine'`));
  const compared = union([...parts.map(compare), ...(readable > few ? machines : ofMachines)]);
  return (readable > fewAtOnce ? readerAtLength(reader) : reader).all(compared);
}

const union = (selects: readonly Sql[]): Sql =>
  join(
    selects.map((select, index) => sql`select * from (${select}) part${text(`${index}`)}`),
    " union all ",
  );

const walk =
  (call: Call, { organizationId, limit }: BeginningSearch) =>
  ({ condition, column }: Match): Sql => {
    const within = organizationId === undefined ? sql`` : sql`and (users.organization_id || '') = ${organizationId}`;
    return sql`select ${columns} from users where ${ofList(call.instanceId)} and ${condition}
      and ${isReadable(call)} ${within} order by ${column} limit ${limit}`;
  };

/** Conditions of indexes that find all users whom the caller may read; undefined when those are all of the instance. */
function readableParts(call: Call, { organizationId }: BeginningSearch): Sql[] | undefined {
  const { access, userId } = requireCaller(call);
  const reach = access.reach("user.read");
  if (reach.everywhere) {
    return organizationId === undefined ? undefined : [sql`users.organization_id = ${organizationId}`];
  }
  const reached =
    organizationId === undefined ? reach.organizationIds : reach.organizationIds.filter((id) => id === organizationId);
  const within = organizationId === undefined ? sql`` : sql`and (users.organization_id || '') = ${organizationId}`;
  const own = sql`users.user_id = ${userId} ${within}`;
  return reached.length === 0 ? [own] : [sql`users.organization_id in ${list(reached)}`, own];
}

async function countUsers(reader: Reader, { instanceId }: Call, parts: readonly Sql[]): Promise<number> {
  const some = parts.map((part) => sql`select 1 as "one" from users where ${ofList(instanceId)} and ${part}`);
  const row = await reader.maybe<{ count: number }>(
    sql`select count(*) as "count" from (select * from (${join(some, " union all ")}) found limit ${few + 1}) counted`,
  );
  return row?.count ?? 0;
}

/** Everything that a user is found by. */
function matchesOf(value: string): Match[] {
  const folded = Object.values(foldedFields).map((column) => beginning(column, value));
  const loginName = text("users.login_name_key");
  const id = { condition: sql`users.user_id = ${value}`, column: text("users.user_id") };
  const phone = text("users.phone");
  return [
    id,
    ...folded.filter((each) => each !== undefined),
    { condition: startsWith(loginName, addressKey(value)), column: loginName },
    ...(isNumber(value) ? [{ condition: startsWith(phone, compactPhone(value)), column: phone }] : []),
  ];
}

/** Indexes of service accounts alone: where people have the same names, they would be found last. */
function matchesOfMachines(value: string): Match[] {
  const isMachine = text("users.kind = 'machine'");
  const loginName = text("users.login_name_key");
  const named = beginning(foldedFields.displayName, value);
  const matches = [
    ...(named === undefined ? [] : [named]),
    { condition: startsWith(loginName, addressKey(value)), column: loginName },
  ];
  return matches.map(({ condition, column }) => ({ condition: sql`${isMachine} and ${condition}`, column }));
}

function beginning(column: Sql, value: string): Match | undefined {
  const found = foldedCandidates(column, "starts_with_ignore_case", value);
  return found && { condition: found.condition, column };
}

const startsWith = (column: Sql, prefix: string): Sql =>
  caselessCandidates(column, "starts_with", prefix)?.condition ?? text("1 = 0");

const isNumber = (value: string): boolean => /^\+?\d[\d\s()./-]*$/.test(value);
