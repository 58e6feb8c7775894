import { useQuery } from "@connectrpc/connect-query";
import { type Action, ActionFieldName, ActionState } from "@doorward/api/service/action/v1/action_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { TextQueryMethod } from "@doorward/api/service/v1/query_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { useAddress } from "../../../address.ts";
import { Button } from "../../../parts/button.tsx";
import { FilterBar, FilterChoice } from "../../../parts/filter-bar.tsx";
import { Empty } from "../../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { AutomationFrame } from "../automation-frame.tsx";
import { OwnerNotice } from "./owner-notice.tsx";
import { ScriptBadge } from "./script-badge.tsx";

const columns: readonly Column<Action>[] = [
  { key: "name", header: t("automation.name"), cell: ({ name }) => <code>{name}</code> },
  { key: "state", header: t("automation.state"), cell: ({ state }) => <ScriptBadge state={state} /> },
  {
    key: "fail",
    header: t("automation.script.onFailure"),
    cell: ({ allowedToFail }) =>
      allowedToFail ? t("automation.script.mayFail.short") : t("automation.script.mayNotFail.short"),
    isSecondary: true,
  },
  {
    key: "changed",
    header: t("automation.changed"),
    cell: ({ details }) => <Time at={details?.changeDate} />,
    isSecondary: true,
  },
];

/** The scripts of an organization. */
export function ScriptsPage() {
  const { search, page, setSearch, setPage, go } = useAddress();
  const { q: text = "", state = "" } = search;
  const byName = { name: text, method: TextQueryMethod.CONTAINS_IGNORE_CASE };
  const byState = { state: Number(state) as ActionState };
  const found = useQuery(
    ManagementService.method.listActions,
    {
      query: { offset: BigInt(page * pageSize), limit: pageSize, asc: true },
      sortingColumn: ActionFieldName.NAME,
      queries: [
        ...(text === "" ? [] : [{ query: { case: "actionNameQuery", value: byName } } as const]),
        ...(state === "" ? [] : [{ query: { case: "actionStateQuery", value: byState } } as const]),
      ],
    },
    { placeholderData: keepPreviousData },
  );
  const create = (
    <Button
      icon="plus"
      look="primary"
      disabledReason={useObstacle("org.action.write")}
      onClick={() => go("/automation/scripts/new")}
    >
      {t("automation.script.create")}
    </Button>
  );
  const isFiltered = text !== "" || state !== "";
  return (
    <AutomationFrame lead={t("automation.scripts.lead")} actions={create}>
      <OwnerNotice />
      <FilterBar label={t("automation.findName")} text={text} onText={(q) => setSearch({ q })}>
        <FilterChoice
          label={t("automation.state")}
          value={state}
          options={[
            [String(ActionState.ACTIVE), t("automation.script.active")],
            [String(ActionState.INACTIVE), t("automation.script.inactive")],
          ]}
          onChange={(next) => setSearch({ state: next })}
        />
      </FilterBar>
      <Table
        label={t("automation.scripts")}
        columns={columns}
        rows={found.data?.result}
        rowKey={({ id }) => id}
        href={({ id }) => `/automation/scripts/${id}`}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{isFiltered ? t("automation.noneFound") : t("automation.scripts.none")}</Empty>}
        paging={{ page, pageSize, total: found.data?.details?.totalResult, onPage: setPage }}
      />
    </AutomationFrame>
  );
}
