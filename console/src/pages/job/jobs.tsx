import { useQuery } from "@connectrpc/connect-query";
import type { Job } from "@doorward/api/service/job/v2/job_pb";
import { JobService } from "@doorward/api/service/job/v2/job_service_pb";
import { useAddress } from "../../address.ts";
import { FilterChoice, Filters } from "../../parts/filter-bar.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ToolTabs } from "../tool/tool-tabs.tsx";
import { actionOf, countsOf, hasEnded, JobBadges, stateNames, states } from "./words.tsx";

const pause = 2000;

/** The bulk jobs of the instance or an organization, newest first. */
export function JobsPage() {
  const { search, page, setSearch, setPage } = useAddress();
  const { state = "" } = search;
  const organizationId = useOrganizationId();
  const wanted = (states as Readonly<Record<string, number>>)[state];
  const { data, error, isFetching } = useQuery(
    JobService.method.listJobs,
    {
      filters: [
        ...(organizationId === undefined
          ? []
          : [{ filter: { case: "organizationIdFilter", value: { id: organizationId } } } as const]),
        ...(wanted === undefined ? [] : [{ filter: { case: "stateFilter", value: { state: wanted } } } as const]),
      ],
      pagination: { offset: BigInt(page * pageSize), limit: pageSize },
    },
    { refetchInterval: (query) => (query.state.data?.jobs.every(hasEnded) ? false : pause) },
  );
  return (
    <Page title={t("job.title")} lead={t("job.lead")} tabs={<ToolTabs />}>
      <Filters list="jobs">
        <FilterChoice
          label={t("user.state")}
          value={state}
          options={stateNames.map((name) => [name, t(`job.state.${name}`)] as const)}
          onChange={(state) => setSearch({ state })}
        />
      </Filters>
      <Table
        label={t("job.title")}
        columns={columns}
        rows={data?.jobs}
        rowKey={({ id }) => id}
        href={({ id }) => `/tools/jobs/${id}`}
        error={error}
        isLoading={isFetching && data === undefined}
        paging={{ page, pageSize, total: data?.pagination?.totalResult, onPage: setPage }}
        empty={<Empty>{t("job.empty")}</Empty>}
      />
    </Page>
  );
}

const columns: readonly Column<Job>[] = [
  { key: "action", header: t("job.action"), cell: actionOf },
  { key: "state", header: t("user.state"), cell: (job) => <JobBadges job={job} /> },
  { key: "progress", header: t("job.progress"), cell: countsOf },
  {
    key: "created",
    header: t("user.created"),
    isSecondary: true,
    cell: ({ creationDate }) => <Time at={creationDate} />,
  },
];
