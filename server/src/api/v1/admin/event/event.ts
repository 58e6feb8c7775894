import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { ListEventsRequest } from "@doorward/api/service/admin/v1/event_pb";
import type { EventSchema } from "@doorward/api/service/event/v1/event_pb";
import type { Language } from "../../../../base/language.ts";
import type { Database } from "../../../../database/index.ts";
import {
  type EventSearch,
  type ListedEvent,
  listAggregateTypes,
  listEvents,
  listEventTypes,
  nameAggregateType,
  nameEventType,
  namesOriginals,
  type TimeSpan,
} from "../../../../domain/event-log/index.ts";
import {
  eventTypes,
  originalAggregateOf,
  originalForm,
  originalNamesOf,
  originalsOf,
} from "../../../../event/index.ts";
import type { Texts } from "../../../../text/index.ts";
import { type Binding, bind, fromTimestamp, toTimestamp } from "../../../contract/index.ts";

const maximumLimit = 1000;

/** AdminService: the history of the instance. */
export const eventMethods = (deps: { readonly database: Database; readonly texts: Texts }): Binding =>
  bind(AdminService, {
    async listEvents(call, request) {
      const search = toSearch(request);
      const isOriginal = call.alias !== undefined || namesOriginals(search);
      const events = await listEvents(deps, call, { ...search, isOriginal });
      const show = isOriginal ? inOriginalForm(search.types) : inOurForm;
      return { events: events.map((event) => toMessage(deps.texts, call.language, show(event))) };
    },
    async listEventTypes(call) {
      const types = listEventTypes(call);
      const shown = call.alias === undefined ? types.map((type) => ({ type, name: type })) : allOriginals(types);
      return {
        eventTypes: shown.map(({ type, name }) => ({
          type: name,
          localized: { ...nameEventType(deps.texts, call.language, type), key: `EventTypes.${name}` },
        })),
      };
    },
    async listAggregateTypes(call) {
      const types = listAggregateTypes(call);
      const words = call.alias === undefined ? types : allOriginalAggregates(types);
      return {
        aggregateTypes: words.map((type) => ({ type, localized: nameAggregateType(deps.texts, call.language, type) })),
      };
    },
  });

/** An event as it is shown: with its name and record, and the type whose text describes it. */
type ShownEvent = ListedEvent & { readonly shown: string };

const inOurForm = (event: ListedEvent): ShownEvent => ({ ...event, shown: event.type });

/** Shows events by the names that the caller asked for, otherwise by the first that they have. */
const inOriginalForm =
  (asked: readonly string[]) =>
  (event: ListedEvent): ShownEvent => {
    const name = originalNamesOf(event).find((each) => asked.includes(each));
    const { type: shown, ...form } = originalForm(event, name);
    return { ...event, ...form, shown };
  };

/** The names of every type, those that are shown; of a type with several names each. */
const allOriginals = (types: readonly string[]) =>
  types.flatMap((type) => originalsOf(type).map((name) => ({ type, name })));

const allOriginalAggregates = (kinds: readonly string[]): string[] => [
  ...new Set(
    eventTypes
      .filter((type) => kinds.includes(type.split(".", 1)[0] ?? ""))
      .flatMap(originalsOf)
      .map(originalAggregateOf),
  ),
];

// Here the interface clamps a limit that is too large; other lists reject it.
function toSearch(request: ListEventsRequest): EventSearch {
  const { sequence, limit, asc, editorUserId, eventTypes, aggregateId, aggregateTypes, resourceOwner } = request;
  return {
    limit: limit === 0 ? maximumLimit : Math.min(limit, maximumLimit),
    isAscending: asc,
    // No sequence exceeds this; PostgreSQL would reject the number.
    afterSequence: sequence === 0n ? undefined : Math.min(Number(sequence), Number.MAX_SAFE_INTEGER),
    editorUserId: editorUserId || undefined,
    types: eventTypes,
    aggregateTypes,
    aggregateId: aggregateId || undefined,
    ownerId: resourceOwner || undefined,
    time: toTime(request),
  };
}

/** A range states both ends; `from` states the end at which the list begins, as does its older name `creationDate`. */
function toTime({ creationDateFilter, creationDate, asc }: ListEventsRequest): TimeSpan {
  if (creationDateFilter.case === "range") {
    const { since, until } = creationDateFilter.value;
    return { since: since && fromTimestamp(since), until: until && fromTimestamp(until) };
  }
  const from = creationDateFilter.case === "from" ? creationDateFilter.value : creationDate;
  if (from === undefined) return {};
  return asc ? { after: fromTimestamp(from) } : { before: fromTimestamp(from) };
}

function toMessage(texts: Texts, language: Language, event: ShownEvent): MessageInitShape<typeof EventSchema> {
  return {
    editor: { userId: event.editorUserId, displayName: event.editorName, service: event.editorClientId },
    aggregate: {
      id: event.aggregateId,
      type: { type: event.aggregateType, localized: nameAggregateType(texts, language, event.aggregateType) },
      resourceOwner: event.ownerId,
    },
    sequence: BigInt(event.sequence),
    creationDate: toTimestamp(event.createdAt),
    payload: event.payload as JsonObject,
    source: event.source,
    type: {
      type: event.shown,
      localized: { ...nameEventType(texts, language, event.type), key: `EventTypes.${event.shown}` },
    },
  };
}
