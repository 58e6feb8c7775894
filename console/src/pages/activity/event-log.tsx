import type { Event } from "@doorward/api/service/event/v1/event_pb";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../text/catalogue.ts";
import { addressOf, keyOf } from "./event-address.ts";
import { EventActor, EventThing } from "./event-cells.tsx";
import { EventFilters } from "./event-filters.tsx";
import { useEvents } from "./use-events.ts";
import { type UserNames, useUserNames } from "./use-user-names.ts";

const columnsWith = (names: UserNames): readonly Column<Event>[] => [
  { key: "what", header: t("activity.what"), cell: ({ type }) => type?.localized?.localizedMessage || type?.type },
  { key: "thing", header: t("activity.thing"), cell: (event) => <EventThing of={event} names={names} /> },
  { key: "who", header: t("activity.who"), cell: (event) => <EventActor of={event} /> },
  { key: "when", header: t("activity.when"), cell: ({ creationDate }) => <Time at={creationDate} /> },
  {
    key: "from",
    header: t("activity.from"),
    isSecondary: true,
    cell: ({ source }) => (source === "" ? <span className="muted">–</span> : <span className="nowrap">{source}</span>),
  },
];

interface EventLogProps {
  readonly ownerId?: string | undefined;
  /** Where the log is a page of its own, of which users may save views. */
  readonly list?: "events";
}

/** The event log with its filters: of the whole instance, or of what one organization owns. */
export function EventLog({ ownerId, list }: EventLogProps) {
  const { events, error, isFetching, hasOlder, isFiltered, loadOlder, refresh } = useEvents(ownerId);
  const names = useUserNames(events);
  return (
    <>
      <EventFilters events={events} onRefresh={refresh} isBusy={isFetching} list={list} />
      <Table
        label={t("nav.activity")}
        columns={columnsWith(names)}
        rows={events}
        rowKey={keyOf}
        href={addressOf}
        error={error}
        isLoading={isFetching}
        empty={<Empty>{t(isFiltered ? "activity.noneFound" : "activity.none")}</Empty>}
      />
      {events !== undefined && events.length > 0 && (
        <p className="more">
          {hasOlder ? (
            <Button isBusy={isFetching} onClick={loadOlder}>
              {t("activity.older")}
            </Button>
          ) : (
            <span className="muted">{t("activity.end")}</span>
          )}
        </p>
      )}
    </>
  );
}
