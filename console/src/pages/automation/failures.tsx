import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { FailedEvent, View } from "@doorward/api/service/admin/v1/maintenance_pb";
import { Link } from "@tanstack/react-router";
import { linkTo, useAddress } from "../../address.ts";
import { ActionTable } from "../../parts/action-table.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { FilterChoice, Filters } from "../../parts/filter-bar.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useObstacle } from "../../shell/access.ts";
import { type TextKey, t } from "../../text/catalogue.ts";
import { failureText } from "../../text/failure-text.ts";
import { AutomationFrame } from "./automation-frame.tsx";
import { useTargetNames } from "./execution/target-names.ts";
import { jobText } from "./words.ts";

const queues: Readonly<Record<string, TextKey>> = {
  deliveries: "automation.queue.deliveries",
  notifications: "automation.queue.notifications",
  logout_notices: "automation.queue.logoutNotices",
};

const queueName = (queue: string): string => {
  const key = queues[queue];
  return key === undefined ? queue : t(key);
};

/** What could not be delivered to other servers, and the work in the background. */
export function FailuresPage() {
  const { search, page, setSearch, setPage } = useAddress();
  const queue = search["queue"] ?? "";
  const client = createClient(AdminService, useTransport());
  const found = useQuery(AdminService.method.listFailedEvents, {});
  const obstacle = useObstacle("iam.write");
  // The server lists the newest of each queue, all in one answer.
  const failed = found.data?.result.filter(({ database }) => queue === "" || database === queue);
  const shown = failed?.slice(page * pageSize, (page + 1) * pageSize);
  const names = useTargetNames(
    (shown ?? []).filter(({ database }) => database === "deliveries").map(({ viewName }) => viewName),
  );
  const subjectOf = ({ database, viewName }: FailedEvent) => {
    if (database === "deliveries")
      return <Link {...linkTo(`/automation/targets/${viewName}/deliveries`)}>{names.get(viewName) ?? viewName}</Link>;
    if (database === "notifications")
      return viewName === "sms" ? t("automation.channel.sms") : t("automation.channel.email");
    return <code>{viewName}</code>;
  };
  return (
    <AutomationFrame lead={t("automation.failures.lead")}>
      <Filters>
        <FilterChoice
          label={t("automation.queue")}
          value={queue}
          options={Object.entries(queues).map(([value, key]) => [value, t(key)] as const)}
          onChange={(next) => setSearch({ queue: next })}
        />
        <Button isBusy={found.isFetching} onClick={() => void found.refetch()}>
          {t("automation.refresh")}
        </Button>
      </Filters>
      <ActionTable
        label={t("automation.failures")}
        columns={[
          { key: "to", header: t("automation.failure.to"), cell: subjectOf },
          { key: "queue", header: t("automation.queue"), cell: ({ database }) => queueName(database) },
          { key: "why", header: t("automation.failure.why"), cell: ({ errorMessage }) => failureText(errorMessage) },
          {
            key: "attempts",
            header: t("automation.delivery.attempts"),
            cell: ({ failureCount }) => String(failureCount),
            isSecondary: true,
          },
          { key: "last", header: t("automation.failure.last"), cell: ({ lastFailed }) => <Time at={lastFailed} /> },
        ]}
        rows={shown}
        rowKey={({ database, viewName, failedSequence }) => `${database} ${viewName} ${failedSequence}`}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{t("automation.failures.none")}</Empty>}
        paging={{ page, pageSize, total: failed?.length, onPage: setPage }}
        actionsLabel={({ viewName }) => t("automation.actionsFor", { name: names.get(viewName) ?? viewName })}
        obstacle={obstacle}
        actions={({ database, viewName, failedSequence }) => [
          {
            label: t("automation.failure.giveUp"),
            isDanger: true,
            dialog: (close) => (
              <DangerDialog
                title={t("automation.failure.giveUp")}
                consequences={[t("automation.failure.giveUp.consequence")]}
                action={t("automation.failure.giveUp")}
                onConfirm={async () => {
                  await client.removeFailedEvent({ database, viewName, failedSequence });
                  await found.refetch();
                }}
                onClose={close}
              />
            ),
          },
        ]}
      />
      <Background />
    </AutomationFrame>
  );
}

const viewColumns: readonly Column<View>[] = [
  { key: "name", header: t("automation.background.job"), cell: ({ viewName }) => jobText(viewName) },
  {
    key: "kind",
    header: t("automation.kind"),
    cell: ({ database }) => (database === "feeds" ? t("automation.background.feed") : t("automation.background.timer")),
    isSecondary: true,
  },
  {
    key: "last",
    header: t("automation.background.last"),
    cell: ({ lastSuccessfulSpoolerRun, eventTimestamp }) => <Time at={lastSuccessfulSpoolerRun ?? eventTimestamp} />,
  },
];

function Background() {
  const found = useQuery(AdminService.method.listViews, {});
  return (
    <Section title={t("automation.background")} lead={t("automation.background.lead")}>
      <Table
        label={t("automation.background")}
        columns={viewColumns}
        rows={found.data?.result}
        rowKey={({ database, viewName }) => `${database} ${viewName}`}
        error={found.error}
        isLoading={found.isFetching}
        empty={<p className="muted">{t("automation.noneFound")}</p>}
      />
    </Section>
  );
}
