import { useQuery } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { Event } from "@doorward/api/service/event/v1/event_pb";
import type { LocalizedMessage } from "@doorward/api/service/v1/object_pb";
import { useQuery as useAnyQuery } from "@tanstack/react-query";
import { useAddress } from "../../address.ts";
import type { ListName } from "../../lists.ts";
import { Button } from "../../parts/button.tsx";
import { FilterBar, FilterChoice } from "../../parts/filter-bar.tsx";
import { useFinders } from "../../parts/finders.ts";
import { type Choice, Picker } from "../../parts/picker.tsx";
import { t } from "../../text/catalogue.ts";
import { downloadEvents } from "./download-events.ts";
import { customPeriod, recentNames } from "./period.ts";

interface EventFiltersProps {
  /** What is shown now, which can be downloaded. */
  readonly events: readonly Event[] | undefined;
  readonly onRefresh: () => void;
  readonly isBusy: boolean;
  readonly list?: ListName | undefined;
}

/** The filters of the event log: record, kind, type, who, and when. All are in the address. */
export function EventFilters({ events, onRefresh, isBusy, list }: EventFiltersProps) {
  const { search, setSearch } = useAddress();
  const { id = "", kind = "", type = "", period = "", since = "", until = "" } = search;
  const options = { staleTime: 600_000 };
  const kinds = useQuery(AdminService.method.listAggregateTypes, {}, options).data?.aggregateTypes ?? [];
  const types = useQuery(AdminService.method.listEventTypes, {}, options).data?.eventTypes ?? [];
  const ofKind = kind === "" ? types : types.filter((each) => each.type.startsWith(`${kind}.`));
  return (
    <FilterBar label={t("activity.findId")} text={id} onText={(next) => setSearch({ id: next })} list={list}>
      <FilterChoice
        label={t("activity.kind")}
        value={kind}
        options={kinds.map(toOption)}
        onChange={(next) => setSearch({ kind: next, type: "" })}
      />
      <FilterChoice
        label={t("activity.type")}
        value={type}
        options={ofKind.map(toOption).toSorted(([, a], [, b]) => a.localeCompare(b))}
        onChange={(next) => setSearch({ type: next })}
      />
      <Who />
      <FilterChoice
        label={t("activity.when")}
        value={period}
        options={[
          ...recentNames.map((each) => [each, t(`activity.period.${each}`)] as const),
          [customPeriod, t("activity.period.custom")],
        ]}
        onChange={(next) => setSearch({ period: next, since: "", until: "" })}
      />
      {period === customPeriod && (
        <>
          <Bound label={t("activity.since")} value={since} onChange={(next) => setSearch({ since: next })} />
          <Bound label={t("activity.until")} value={until} onChange={(next) => setSearch({ until: next })} />
        </>
      )}
      <label className="filter-choice">
        <input
          type="checkbox"
          checked={search["live"] !== undefined}
          onChange={(event) => setSearch({ live: event.target.checked ? "on" : "" })}
        />
        <span>{t("activity.live")}</span>
      </label>
      <Button isBusy={isBusy} onClick={onRefresh}>
        {t("activity.refresh")}
      </Button>
      <Button disabled={events === undefined || events.length === 0} onClick={() => downloadEvents(events ?? [])}>
        {t("activity.download")}
      </Button>
    </FilterBar>
  );
}

const toOption = (named: {
  readonly type: string;
  readonly localized?: LocalizedMessage | undefined;
}): readonly [string, string] => [named.type, named.localized?.localizedMessage || named.type];

/** One end of a time, in the reader's zone. */
const Bound = (props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => (
  <label className="filter-choice">
    <span>{props.label}</span>
    <input type="datetime-local" value={props.value} onChange={(event) => props.onChange(event.target.value)} />
  </label>
);

function Who() {
  const { search, setSearch } = useAddress();
  const { findUsers, readUser } = useFinders();
  const { who } = search;
  // The address has the id alone.
  const named = useAnyQuery({
    queryKey: ["user of the address", who],
    queryFn: () => readUser(who ?? ""),
    enabled: who !== undefined,
  });
  const chosen: Choice | undefined = who === undefined ? undefined : (named.data ?? { id: who, name: who });
  return (
    <Picker
      label={t("activity.who")}
      queryKey="user"
      chosen={chosen}
      onChoose={(choice) => setSearch({ who: choice?.id ?? "" })}
      find={findUsers}
    />
  );
}
