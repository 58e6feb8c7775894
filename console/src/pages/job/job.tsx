import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { type Job, JobOutcome, type JobResult } from "@doorward/api/service/job/v2/job_pb";
import { JobService } from "@doorward/api/service/job/v2/job_service_pb";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Badge } from "../../parts/badge.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { DialogButton } from "../../parts/dialog-button.tsx";
import { FilterChoice, Filters } from "../../parts/filter-bar.tsx";
import { ErrorNotice, Notice } from "../../parts/notice.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { tell } from "../../parts/toast.tsx";
import { t } from "../../text/catalogue.ts";
import { actionOf, countsOf, hasEnded, JobBadges } from "./words.tsx";

const pause = 1500;

/** One bulk job: its progress, what became of each user, and a button that cancels it. */
export function JobPage() {
  const { jobId = "" } = useAddress().params;
  const { data, error } = useQuery(
    JobService.method.getJob,
    { id: jobId },
    { refetchInterval: ({ state: { data: found } }) => (found?.job && hasEnded(found.job) ? false : pause) },
  );
  const job = data?.job;
  const parent = { to: "/tools/jobs", label: t("job.title") };
  if (job === undefined) {
    return (
      <Page title={t("job.title")} parent={parent}>
        {error ? <ErrorNotice error={error} /> : <span className="skeleton" />}
      </Page>
    );
  }
  return (
    <Page
      title={actionOf(job)}
      parent={parent}
      badges={<JobBadges job={job} />}
      lead={<Time at={job.creationDate} />}
      actions={!hasEnded(job) && <CancelButton job={job} />}
    >
      {job.stopReason && <Notice kind="error">{job.stopReason.message}</Notice>}
      <Section title={t("job.progress")}>
        <progress aria-label={t("job.progress")} max={job.total} value={job.total - job.left} />
        <p role="status">{countsOf(job)}</p>
      </Section>
      <Results job={job} />
    </Page>
  );
}

function CancelButton({ job: { id } }: { readonly job: Job }) {
  const client = createClient(JobService, useTransport());
  const refresh = useRefresh();
  const cancel = async (): Promise<void> => {
    await client.cancelJob({ id });
    await refresh(JobService);
    tell(t("job.cancel.done"));
  };
  return (
    <DialogButton
      dialog={(close) => (
        <DangerDialog
          title={t("job.cancel")}
          consequences={[t("job.cancel.kept")]}
          action={t("job.cancel")}
          onConfirm={cancel}
          onClose={close}
        />
      )}
    >
      {t("job.cancel")}
    </DialogButton>
  );
}

const outcomes: Readonly<Record<string, JobOutcome>> = {
  succeeded: JobOutcome.SUCCEEDED,
  failed: JobOutcome.FAILED,
};

function Results({ job }: { readonly job: Job }) {
  const { search, page, setSearch, setPage } = useAddress();
  const { outcome = "" } = search;
  const { data, error } = useQuery(
    JobService.method.listJobResults,
    {
      id: job.id,
      outcome: outcomes[outcome] ?? JobOutcome.UNSPECIFIED,
      pagination: { offset: BigInt(page * pageSize), limit: pageSize, asc: true },
    },
    { refetchInterval: hasEnded(job) ? false : pause },
  );
  return (
    <Section title={t("job.results")}>
      <Filters>
        <FilterChoice
          label={t("job.results")}
          value={outcome}
          options={[
            ["succeeded", t("job.result.succeeded")],
            ["failed", t("job.result.failed")],
          ]}
          onChange={(outcome) => setSearch({ outcome })}
        />
      </Filters>
      <Table
        label={t("job.results")}
        columns={columns}
        rows={data?.results}
        rowKey={({ position }) => String(position)}
        error={error}
        paging={{ page, pageSize, total: data?.pagination?.totalResult, onPage: setPage }}
        empty={<Empty>{t("user.list.nothing")}</Empty>}
      />
    </Section>
  );
}

const columns: readonly Column<JobResult>[] = [
  {
    key: "user",
    header: t("explain.who"),
    cell: ({ displayName, preferredLoginName, userId }) => (
      <>
        {displayName || preferredLoginName || userId}
        <span className="subtitle">{preferredLoginName || userId}</span>
      </>
    ),
  },
  {
    key: "outcome",
    header: t("job.results"),
    cell: ({ outcome, error }) =>
      outcome === JobOutcome.FAILED ? (
        <>
          <Badge look="bad">{t("job.result.failed")}</Badge> {error?.message}
        </>
      ) : outcome === JobOutcome.SUCCEEDED ? (
        <Badge look="good">{t("job.result.succeeded")}</Badge>
      ) : (
        <span className="muted">{t("job.result.left")}</span>
      ),
  },
  { key: "date", header: t("user.activity.when"), isSecondary: true, cell: ({ date }) => <Time at={date} /> },
];
