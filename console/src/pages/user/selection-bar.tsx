import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { type CreateJobRequestSchema, JobService } from "@doorward/api/service/job/v2/job_service_pb";
import { useState } from "react";
import { createPortal } from "react-dom";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Menu } from "../../parts/menu.tsx";
import { useObstacle, useOrganizationId } from "../../shell/access.ts";
import { type TextKey, t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";

type NewJob = MessageInitShape<typeof CreateJobRequestSchema>;

/** The users that a job is for, and how many there are. */
interface JobUsers {
  readonly users: NonNullable<NewJob["users"]>;
  readonly count: number;
}

const actions = {
  lock: "job.action.lock",
  unlock: "job.action.unlock",
  deactivate: "job.action.deactivate",
  reactivate: "job.action.reactivate",
  resendInvitation: "job.action.resendInvitation",
  delete: "job.action.delete",
} as const satisfies Record<string, TextKey>;

type Action = keyof typeof actions;

interface SelectionBarProps {
  readonly selected: JobUsers;
  /** All users of the list, when there are more of them than are selected. */
  readonly total: number | undefined;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
}

/** What can be done with the users that were selected in a list. */
export function SelectionBar({ selected, total, onSelectAll, onClear }: SelectionBarProps) {
  const [asked, setAsked] = useState<Action>();
  const writeObstacle = useObstacle("user.write");
  const deleteObstacle = useObstacle("user.delete");
  const items = (Object.keys(actions) as Action[]).map((action) => ({
    label: t(actions[action]),
    isDanger: action === "delete",
    disabledReason: action === "delete" ? deleteObstacle : writeObstacle,
    onSelect: () => setAsked(action),
  }));
  return (
    <section className="selection-bar" aria-label={t("table.actions")}>
      <p role="status">{t("job.selected", { count: formatNumber(selected.count) })}</p>
      {total !== undefined && (
        <Button look="quiet" onClick={onSelectAll}>
          {t("job.selectAll", { count: formatNumber(total) })}
        </Button>
      )}
      <Button look="quiet" onClick={onClear}>
        {t("job.clear")}
      </Button>
      <Menu label={t("table.actions")} items={items} look="secondary">
        <span aria-hidden="true">{t("table.actions")}</span>
        <Icon name="down" />
      </Menu>
      {asked !== undefined &&
        // After the list, which comes later than the bar.
        createPortal(
          <JobDialog action={asked} selected={selected} onClose={() => setAsked(undefined)} />,
          document.body,
        )}
    </section>
  );
}

function JobDialog(props: { readonly action: Action; readonly selected: JobUsers; readonly onClose: () => void }) {
  const { action, selected, onClose } = props;
  const [isDryRun, setDryRun] = useState(false);
  const client = createClient(JobService, useTransport());
  const refresh = useRefresh();
  const { go } = useAddress();
  const organizationId = useOrganizationId() ?? "";
  const count = formatNumber(selected.count);
  const start = async (): Promise<void> => {
    const wanted = { case: action, value: {} } as NonNullable<NewJob["action"]>;
    const { job } = await client.createJob({ organizationId, users: selected.users, action: wanted, dryRun: isDryRun });
    await refresh(JobService);
    go(`/tools/jobs/${job?.id}`);
  };
  return (
    <DangerDialog
      title={t(actions[action])}
      consequences={[
        t("job.confirm", { count }),
        ...(action === "delete" && !isDryRun ? [t("user.delete.final")] : []),
      ]}
      action={t("job.start")}
      look={isDryRun || action === "unlock" || action === "reactivate" ? "primary" : "danger"}
      {...(action === "delete" && !isDryRun && { nameToType: String(selected.count) })}
      onConfirm={start}
      onClose={onClose}
    >
      <label className="field check">
        <input type="checkbox" checked={isDryRun} onChange={(event) => setDryRun(event.target.checked)} />
        <span>{t("job.tryOnly")}</span>
      </label>
    </DangerDialog>
  );
}
