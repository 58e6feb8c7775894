import { useQuery } from "@connectrpc/connect-query";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import { type Target, TargetFieldName } from "@doorward/api/service/action/v2/target_pb";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { useAddress, useSorting } from "../../../address.ts";
import { Button } from "../../../parts/button.tsx";
import { FilterBar } from "../../../parts/filter-bar.tsx";
import { Empty } from "../../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { AutomationFrame } from "../automation-frame.tsx";
import { kindName } from "./target-values.ts";

const columns: readonly Column<Target>[] = [
  { key: "name", header: t("automation.name"), cell: ({ name }) => name, isSortable: true },
  { key: "kind", header: t("automation.kind"), cell: kindName },
  {
    key: "endpoint",
    header: t("automation.endpoint"),
    cell: ({ endpoint }) => <code>{endpoint}</code>,
    isSecondary: true,
  },
  {
    key: "changed",
    header: t("automation.changed"),
    cell: ({ changeDate }) => <Time at={changeDate} />,
    isSecondary: true,
    isSortable: true,
  },
];

/** The endpoints that the instance can call. */
export function TargetsPage() {
  const { search, page, setSearch, setPage, go } = useAddress();
  const obstacle = useObstacle("action.target.write");
  const sorting = useSorting("name");
  const text = search["q"] ?? "";
  const value = { targetName: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
  const found = useQuery(
    ActionService.method.listTargets,
    {
      pagination: { offset: BigInt(page * pageSize), limit: pageSize, asc: !sorting.isDescending },
      sortingColumn: sorting.by === "changed" ? TargetFieldName.CHANGED_DATE : TargetFieldName.NAME,
      filters: text === "" ? [] : [{ filter: { case: "targetNameFilter", value } }],
    },
    { placeholderData: keepPreviousData },
  );
  const create = (
    <Button icon="plus" look="primary" disabledReason={obstacle} onClick={() => go("/automation/targets/new")}>
      {t("automation.target.create")}
    </Button>
  );
  return (
    <AutomationFrame lead={t("automation.targets.lead")} actions={create}>
      <FilterBar label={t("automation.findName")} text={text} onText={(q) => setSearch({ q })} />
      <Table
        label={t("automation.targets")}
        columns={columns}
        rows={found.data?.targets}
        rowKey={({ id }) => id}
        href={({ id }) => `/automation/targets/${id}`}
        error={found.error}
        isLoading={found.isFetching}
        sorting={sorting}
        empty={<Empty>{text === "" ? t("automation.targets.none") : t("automation.noneFound")}</Empty>}
        paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
      />
    </AutomationFrame>
  );
}
