import type { JsonValue } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { Event } from "@doorward/api/service/event/v1/event_pb";
import { Link } from "@tanstack/react-router";
import { linkTo } from "../../address.ts";
import { Empty } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { t } from "../../text/catalogue.ts";
import { formatExactly, formatNumber } from "../../text/format.ts";

interface FieldRow {
  readonly name: string;
  readonly value: JsonValue;
  /** What the field was before; undefined when no earlier event says so. */
  readonly former: JsonValue | undefined;
}

/** The fields that an event recorded, with what they were before where that is known. The server masks secrets. */
export function EventFields({ of: event }: { readonly of: Event }) {
  const former = useFormer(event);
  const rows = Object.entries(event.payload ?? {}).map(
    ([name, value]): FieldRow => ({ name, value, former: former(name) }),
  );
  const isChange = rows.some((row) => row.former !== undefined);
  return (
    <Table
      label={t("activity.fields")}
      columns={isChange ? [field, before, after] : [field, after]}
      rows={rows}
      rowKey={({ name }) => name}
      empty={<Empty>{t("activity.noFields")}</Empty>}
    />
  );
}

const field: Column<FieldRow> = {
  key: "field",
  header: t("activity.field"),
  cell: ({ name }) => <span title={name}>{inWords(name)}</span>,
};

const before: Column<FieldRow> = {
  key: "before",
  header: t("activity.before"),
  cell: ({ name, former }) => <Value name={name} value={former} />,
};

const after: Column<FieldRow> = {
  key: "after",
  header: t("activity.value"),
  cell: ({ name, value }) => <Value name={name} value={value} />,
};

/**
 * Returns what fields were before. Events record new values only, so earlier events of the record say it: the latest of
 * the same type, or the one that created the record.
 */
function useFormer({ aggregate, sequence, type, creationDate }: Event): (name: string) => JsonValue | undefined {
  const name = type?.type ?? "";
  const isChange = /(\.|_)(updated|changed|set)$/.test(name);
  const kind = aggregate?.type?.type ?? "";
  const earlier = useQuery(
    AdminService.method.listEvents,
    {
      aggregateTypes: [kind],
      aggregateId: aggregate?.id ?? "",
      eventTypes: [name, `${kind}.created`],
      limit: 200,
      creationDateFilter: { case: "range", value: creationDate ? { until: creationDate } : {} },
    },
    { enabled: isChange },
  );
  const former = earlier.data?.events.filter((each) => each.sequence < sequence) ?? [];
  return (wanted) => former.find(({ payload }) => payload?.[wanted] !== undefined)?.payload?.[wanted];
}

/** Writes the name of a field as words: `passwordCheckedAt` becomes "Password checked at". */
const inWords = (name: string): string => {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

function Value({ name, value }: { readonly name: string; readonly value: JsonValue | undefined }) {
  if (value === undefined || value === null || value === "") return <span className="muted">–</span>;
  if (typeof value === "boolean") return t(value ? "activity.yes" : "activity.no");
  if (typeof value === "number") return isInstant(name, value) ? formatExactly(new Date(value)) : formatNumber(value);
  if (typeof value === "string") return <TextValue name={name} value={value} />;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
  return <pre>{JSON.stringify(value, undefined, 2)}</pre>;
}

const firstInstant = Date.UTC(2000, 0);

const isInstant = (name: string, value: number): boolean => /(At|Date|Until)$/.test(name) && value > firstInstant;

/** Pages of the things whose ids events record, by the name of the field. */
const paths: Readonly<Record<string, string>> = {
  userId: "/users/",
  creatorId: "/users/",
  organizationId: "/organizations/",
  grantedOrganizationId: "/organizations/",
  projectId: "/projects/",
  applicationId: "/applications/",
};

const TextValue = ({ name, value }: { readonly name: string; readonly value: string }) => {
  const path = paths[name];
  return path === undefined ? value : <Link {...linkTo(path + value)}>{value}</Link>;
};
