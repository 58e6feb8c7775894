import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { type Client, createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { Event } from "@doorward/api/service/event/v1/event_pb";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useAddress } from "../../address.ts";
import { pageSize } from "../../parts/table.tsx";
import { keyOf } from "./event-address.ts";
import { type Period, readPeriod } from "./period.ts";

interface Filters {
  readonly ownerId: string | undefined;
  readonly id: string | undefined;
  readonly kind: string | undefined;
  readonly type: string | undefined;
  readonly who: string | undefined;
  readonly period: Period;
}

/** Where a page of the log ended: at an instant, of which these events have been shown. */
interface Cursor {
  readonly until: number;
  readonly shown: readonly string[];
}

interface Part {
  readonly events: readonly Event[];
  readonly next: Cursor | undefined;
}

/** How long after an answer the live log asks again, in milliseconds. */
const livePause = 5000;

/** The longest list that the server returns at once. */
const longest = 1000;

/** Reads the event log by the filters of the address, newest first, older ones as they are asked for. */
export function useEvents(ownerId: string | undefined) {
  const { search } = useAddress();
  const client = createClient(AdminService, useTransport());
  const { id, kind, type, who } = search;
  const period = readPeriod(search);
  const filters: Filters = { ownerId, id, kind, type, who, period };
  const isLive = search["live"] !== undefined;
  const log = useInfiniteQuery({
    queryKey: [...createConnectQueryKey({ schema: AdminService, cardinality: undefined }), "events", filters],
    queryFn: ({ pageParam }) => readPart(client, filters, pageParam),
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: (former) => former,
    // Older pages are not read again and again.
    refetchInterval: ({ state }) => isLive && (state.data?.pages.length ?? 1) === 1 && livePause,
  });
  return {
    events: log.data?.pages.flatMap(({ events }) => events),
    error: log.error,
    isFetching: log.isFetching && !(isLive && log.isRefetching),
    hasOlder: log.hasNextPage,
    isFiltered: Boolean(id ?? kind ?? type ?? who ?? search["period"]),
    loadOlder: () => void log.fetchNextPage(),
    refresh: () => void log.refetch(),
  };
}

/**
 * Several events can have the same instant, so a page begins with the instant at which the one before ended, and leaves
 * out what was shown.
 */
async function readPart(
  client: Client<typeof AdminService>,
  { ownerId, id, kind, type, who, period }: Filters,
  cursor: Cursor | undefined,
): Promise<Part> {
  const { since, until } = period.bounds(Date.now());
  const before = cursor?.until ?? until;
  const limit = Math.min(longest, pageSize + (cursor?.shown.length ?? 0));
  const range = {
    ...(since !== undefined && { since: timestampFromMs(since) }),
    ...(before !== undefined && { until: timestampFromMs(before) }),
  };
  const { events: found } = await client.listEvents({
    limit,
    editorUserId: who ?? "",
    aggregateId: id ?? "",
    aggregateTypes: kind === undefined ? [] : [kind],
    eventTypes: type === undefined ? [] : [type],
    resourceOwner: ownerId ?? "",
    creationDateFilter: { case: "range", value: range },
  });
  const shown = new Set(cursor?.shown);
  const events = found.filter((event) => !shown.has(keyOf(event)));
  const last = found.at(-1)?.creationDate;
  // The server ends a page early when its contents are long; a page without anything new is the last one.
  if (last === undefined || events.length === 0) return { events, next: undefined };
  const end = timestampMs(last);
  const atEnd = found.filter(({ creationDate }) => creationDate && timestampMs(creationDate) === end).map(keyOf);
  // Of more events at one instant than the server lists at once, the rest cannot be reached.
  const next = atEnd.length > longest - pageSize ? { until: end - 1, shown: [] } : { until: end, shown: atEnd };
  const isWhole = found.length < limit && sizeOf(found) < longestPayload;
  return { events, next: isWhole ? undefined : next };
}

const longestPayload = 500_000;

const sizeOf = (events: readonly Event[]): number =>
  events.reduce((size, { payload }) => size + JSON.stringify(payload ?? {}).length, 0);
