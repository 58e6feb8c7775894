import {
  countUpTo,
  join,
  list,
  mostOfPage,
  type Reader,
  readerAtLength,
  type Sql,
  sql,
  text,
} from "../../database/index.ts";
import type { EventPart } from "../../event/index.ts";
import {
  aggregateTypeOf,
  aggregateTypes,
  allowedEvents,
  type EventSearch,
  type ListedEvent,
  type TimeSpan,
} from "./event-search.ts";

interface Row extends Omit<ListedEvent, "payload"> {
  readonly payload: string;
}

const columns =
  text(`e.type, e.aggregate_type as "aggregateType", e.aggregate_id as "aggregateId", e.owner_id as "ownerId",
  e.sequence, e.created_at as "createdAt", e.payload, coalesce(e.editor_user_id, '') as "editorUserId",
  coalesce(u.display_name, '') as "editorName", coalesce(e.editor_client_id, '') as "editorClientId",
  coalesce(e.source, '') as "source"`);

const orders = {
  newestFirst: text("created_at desc, position desc"),
  oldestFirst: text("created_at, position"),
  // The same order for a handful of events: the expression keeps engines off the index over all events, which would be
  // the wrong one.
  sortedNewestFirst: text("created_at + 0 desc, position desc"),
  sortedOldestFirst: text("created_at + 0, position"),
  pagedNewestFirst: text("f.created_at desc, f.position desc rows unbounded preceding"),
  pagedOldestFirst: text("f.created_at, f.position rows unbounded preceding"),
  shownNewestFirst: text("e.created_at desc, e.position desc"),
  shownOldestFirst: text("e.created_at, e.position"),
} as const;

// The partial index events_by_sequence omits sequences up to this one; the statement below repeats the number.
const lowSequence = 16;

/** Finds the events of an instance that match a search, ordered by time. */
export async function findEvents(reader: Reader, instanceId: string, search: EventSearch): Promise<ListedEvent[]> {
  const statement = toStatement(instanceId, search, await findLead(reader, instanceId, search));
  if (statement === undefined) return [];
  const chosen = await readerOf(reader, instanceId, search);
  return (await chosen.all<Row>(statement)).map((row) => ({
    ...row,
    payload: JSON.parse(row.payload) as Record<string, unknown>,
  }));
}

// Up to so many events of one record are put in order without waiting for a turn.
const fewOfRecord = 1024;

/** Chooses the reader: no index has the events of one record by their time, so that all of them are put in order. */
async function readerOf(reader: Reader, instanceId: string, search: EventSearch): Promise<Reader> {
  const { aggregateId } = search;
  if (aggregateId === undefined) return reader;
  const instance = sql`instance_id = ${instanceId} and ${isOfRecord(aggregateId, allowedEvents(search))}`;
  const count = await countUpTo(reader, { from: text("events"), instance }, fewOfRecord);
  return count <= fewOfRecord ? reader : readerAtLength(reader);
}

/** By the primary key, once for each kind of record that it may be. */
function isOfRecord(aggregateId: string, types: readonly EventPart[] | undefined): Sql {
  const kinds = types === undefined ? aggregateTypes : [...new Set(types.map(({ type }) => aggregateTypeOf(type)))];
  return sql`aggregate_type in ${list(kinds)} and aggregate_id = ${aggregateId}`;
}

/** What finds the events of a search that has several conditions: their owner or editor, where these have few. */
type Lead = "owner" | "editor" | undefined;

// Up to so many events are read and put in order. Beyond it, a walk along the order meets enough of them.
const few = 5000;

/**
 * Finds out whether an owner or editor has few events: few of a type that all others have many of are found late by the
 * type, and engines cannot know that.
 */
async function findLead(reader: Reader, instanceId: string, search: EventSearch): Promise<Lead> {
  const { aggregateId, ownerId, editorUserId, types, aggregateTypes: kinds, time } = search;
  const hasTypes = types.length > 0 || kinds.length > 0;
  const leads = [
    ...(editorUserId === undefined
      ? []
      : [{ lead: "editor", condition: sql`editor_user_id = ${editorUserId}` } as const]),
    ...(ownerId === undefined ? [] : [{ lead: "owner", condition: sql`owner_id = ${ownerId}` } as const]),
  ];
  if (aggregateId !== undefined || leads.length === 0 || leads.length + (hasTypes ? 1 : 0) < 2) return undefined;
  for (const { lead, condition } of leads) {
    const where = join([sql`instance_id = ${instanceId}`, condition, ...timeConditions(time)], " and ");
    const row = await reader.maybe<{ count: number }>(
      sql`select count(*) as "count" from (select 1 as "one" from events where ${where} limit ${few + 1}) counted`,
    );
    if (row !== undefined && row.count <= few) return lead;
  }
  return undefined;
}

/** Builds the statement of a search; undefined when nothing can match. */
export function toStatement(instanceId: string, search: EventSearch, lead?: Lead): Sql | undefined {
  const types = allowedEvents(search);
  if (types?.length === 0) return undefined;
  const order = search.isAscending ? orders.oldestFirst : orders.newestFirst;
  const shown = search.isAscending ? orders.shownOldestFirst : orders.shownNewestFirst;
  const inPage = search.isAscending ? orders.pagedOldestFirst : orders.pagedNewestFirst;
  const instance = sql`instance_id = ${instanceId}`;
  const found =
    lead === undefined
      ? selectFound([instance, ...commonConditions(search)], types, order, search)
      : selectLed([instance, ...commonConditions(search, lead)], types, search);
  // Joined last, so that names are looked up only for the rows that are shown. A page ends where its payloads would be
  // too much at once, after one event at least.
  return sql`select ${columns} from (select f.*, sum(length(f.payload)) over (order by ${inPage}) as "until"
      from (${found}) f) e
    left join users u on u.instance_id = ${instanceId} and u.user_id = e.editor_user_id
    where e."until" <= ${mostOfPage} or e."until" = length(e.payload) order by ${shown}`;
}

function selectFound(
  common: readonly Sql[],
  types: readonly EventPart[] | undefined,
  order: Sql,
  search: EventSearch,
): Sql {
  const { aggregateId, isAscending, limit } = search;
  const sorted = isAscending ? orders.sortedOldestFirst : orders.sortedNewestFirst;
  if (aggregateId !== undefined) {
    const ofTypes = types === undefined ? [] : [sql`(${join(types.map(isOfType), " or ")})`];
    return selectEvents([...common, isOfRecord(aggregateId, types), ...ofTypes], sorted, limit);
  }
  // The index events_by_type has the events of one type in order, so each type is read on its own, and no further than
  // the limit.
  if (types !== undefined) {
    const ofType = types.map((type) => selectEvents([...common, isOfType(type)], order, limit));
    return sql`select * from (${unionOf(ofType)}) found order by ${order} limit ${limit}`;
  }
  if (isHighSequence(search)) return selectEvents([...common, text("sequence > 16")], sorted, limit);
  // Uses events_by_editor, events_by_owner or events_by_creation, depending on the conditions.
  return selectEvents(common, order, limit);
}

/** Selects among the events of an owner or editor who has few; no other condition is one of an index. */
function selectLed(common: readonly Sql[], types: readonly EventPart[] | undefined, search: EventSearch): Sql {
  const { isAscending, limit } = search;
  const ofTypes = types === undefined ? [] : [sql`(${join(types.map(isOfLedType), " or ")})`];
  return selectEvents(
    [...common, ...ofTypes],
    isAscending ? orders.sortedOldestFirst : orders.sortedNewestFirst,
    limit,
  );
}

const isOfLedType = ({ type, parts }: EventPart): Sql =>
  parts === undefined
    ? sql`(type || '') = ${type}`
    : sql`((type || '') = ${type} and (${join(parts.map(hasPart), " or ")}))`;

// The rows of a type are found by the index, so that a part of them costs a look at each.
function isOfType({ type, parts }: EventPart): Sql {
  if (parts === undefined) return sql`type = ${type}`;
  return sql`type = ${type} and (${join(parts.map(hasPart), " or ")})`;
}

const hasPart = ({ holds, within }: NonNullable<EventPart["parts"]>[number]): Sql =>
  within === undefined ? sql`payload like ${`%${holds}%`}` : sql`aggregate_id like ${`${within}%`}`;

// In groups, because the text of a longer list would not be cached, and its statement would be prepared again each
// time.
const groupSize = 32;

function unionOf(selects: readonly Sql[]): Sql {
  const groups: Sql[] = [];
  for (let start = 0; start < selects.length; start += groupSize) {
    const group = selects.slice(start, start + groupSize).map((each) => sql`select * from (${each}) of_type`);
    groups.push(join(group, " union all "));
  }
  return join(groups, " union all ");
}

// Only without another filter: with one, few enough events remain to be read.
const isHighSequence = ({ afterSequence = 0, editorUserId, ownerId }: EventSearch): boolean =>
  afterSequence >= lowSequence && editorUserId === undefined && ownerId === undefined;

function commonConditions({ afterSequence, editorUserId, ownerId, time }: EventSearch, lead?: Lead): Sql[] {
  const editor = lead === "owner" ? text("(editor_user_id || '')") : text("editor_user_id");
  const owner = lead === "editor" ? text("(owner_id || '')") : text("owner_id");
  return [
    ...(afterSequence === undefined ? [] : [sql`sequence > ${afterSequence}`]),
    ...(editorUserId === undefined ? [] : [sql`${editor} = ${editorUserId}`]),
    ...(ownerId === undefined ? [] : [sql`${owner} = ${ownerId}`]),
    ...timeConditions(time),
  ];
}

function timeConditions({ since, until, after, before }: TimeSpan): Sql[] {
  return [
    ...(since === undefined ? [] : [sql`created_at >= ${since}`]),
    ...(until === undefined ? [] : [sql`created_at <= ${until}`]),
    ...(after === undefined ? [] : [sql`created_at > ${after}`]),
    ...(before === undefined ? [] : [sql`created_at < ${before}`]),
  ];
}

const selectEvents = (where: readonly Sql[], order: Sql, limit: number): Sql =>
  sql`select * from events where ${join(where, " and ")} order by ${order} limit ${limit}`;
