import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import { type Execution, ExecutionFieldName, ExecutionType } from "@doorward/api/service/action/v2/execution_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { useAddress } from "../../../address.ts";
import { useRefresh } from "../../../api/refresh.ts";
import { ActionTable } from "../../../parts/action-table.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { DialogButton } from "../../../parts/dialog-button.tsx";
import { FilterChoice, Filters } from "../../../parts/filter-bar.tsx";
import { Empty } from "../../../parts/page.tsx";
import { pageSize } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { AutomationFrame } from "../automation-frame.tsx";
import { conditionText } from "./condition.ts";
import { ExecutionDialog } from "./execution-dialog.tsx";
import { useTargetNames } from "./target-names.ts";

/** Which targets are called when. */
export function ExecutionsPage() {
  const { search, page, setSearch, setPage } = useAddress();
  const obstacle = useObstacle("action.execution.write");
  const type = search["type"] ?? "";
  const value = { executionType: Number(type) as ExecutionType };
  const found = useQuery(
    ActionService.method.listExecutions,
    {
      pagination: { offset: BigInt(page * pageSize), limit: pageSize, asc: true },
      sortingColumn: ExecutionFieldName.ID,
      filters: type === "" ? [] : [{ filter: { case: "executionTypeFilter", value } }],
    },
    { placeholderData: keepPreviousData },
  );
  const names = useTargetNames(found.data?.executions.flatMap(({ targets }) => targets) ?? []);
  const targetsOf = (execution: Execution) => execution.targets.map((id) => names.get(id) ?? id).join(" → ");
  return (
    <AutomationFrame
      lead={t("automation.executions.lead")}
      actions={
        <DialogButton
          icon="plus"
          look="primary"
          disabledReason={obstacle}
          dialog={(close) => <ExecutionDialog onClose={close} />}
        >
          {t("automation.execution.add")}
        </DialogButton>
      }
    >
      <Filters>
        <FilterChoice
          label={t("automation.when")}
          value={type}
          options={[
            [String(ExecutionType.REQUEST), t("automation.when.request")],
            [String(ExecutionType.RESPONSE), t("automation.when.response")],
            [String(ExecutionType.FUNCTION), t("automation.when.function")],
            [String(ExecutionType.EVENT), t("automation.when.event")],
          ]}
          onChange={(next) => setSearch({ type: next })}
        />
      </Filters>
      <ActionTable
        label={t("automation.executions")}
        columns={[
          { key: "when", header: t("automation.when"), cell: ({ condition }) => conditionText(condition) },
          { key: "targets", header: t("automation.targets"), cell: targetsOf },
          {
            key: "changed",
            header: t("automation.changed"),
            cell: ({ changeDate }) => <Time at={changeDate} />,
            isSecondary: true,
          },
        ]}
        rows={found.data?.executions}
        rowKey={({ condition }) => conditionText(condition)}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{type === "" ? t("automation.executions.none") : t("automation.noneFound")}</Empty>}
        paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
        actionsLabel={({ condition }) => t("automation.actionsFor", { name: conditionText(condition) })}
        obstacle={obstacle}
        actions={(execution) => [
          {
            label: t("automation.execution.change"),
            dialog: (close) => <ExecutionDialog execution={execution} names={names} onClose={close} />,
          },
          {
            label: t("automation.execution.remove"),
            isDanger: true,
            dialog: (close) => <RemoveExecution execution={execution} onClose={close} />,
          },
        ]}
      />
    </AutomationFrame>
  );
}

interface RemoveExecutionProps {
  readonly execution: Execution;
  readonly onClose: () => void;
}

function RemoveExecution({ execution: { condition }, onClose }: RemoveExecutionProps) {
  const client = createClient(ActionService, useTransport());
  const refresh = useRefresh();
  return (
    <DangerDialog
      title={t("automation.execution.remove")}
      consequences={[t("automation.execution.remove.consequence", { when: conditionText(condition) })]}
      action={t("automation.execution.remove")}
      onConfirm={async () => {
        await client.setExecution({ ...(condition && { condition }), targets: [] });
        await refresh(ActionService);
      }}
      onClose={onClose}
    />
  );
}
