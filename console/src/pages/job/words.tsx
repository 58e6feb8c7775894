import { type Job, JobAction, JobState } from "@doorward/api/service/job/v2/job_pb";
import { Badge, type BadgeLook } from "../../parts/badge.tsx";
import { type TextKey, t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";

const actions: Readonly<Partial<Record<JobAction, TextKey>>> = {
  [JobAction.DEACTIVATE]: "job.action.deactivate",
  [JobAction.REACTIVATE]: "job.action.reactivate",
  [JobAction.LOCK]: "job.action.lock",
  [JobAction.UNLOCK]: "job.action.unlock",
  [JobAction.DELETE]: "job.action.delete",
  [JobAction.ADD_ROLES]: "job.action.addRoles",
  [JobAction.REMOVE_ROLES]: "job.action.removeRoles",
  [JobAction.SET_METADATA]: "job.action.setMetadata",
  [JobAction.RESEND_INVITATION]: "job.action.resendInvitation",
};

export const actionOf = ({ action }: Job): string => t(actions[action] ?? "job.action");

/** States, with their names in the address. */
export const states = {
  queued: JobState.QUEUED,
  running: JobState.RUNNING,
  completed: JobState.COMPLETED,
  canceled: JobState.CANCELED,
  stopped: JobState.STOPPED,
} as const;

export const stateNames = Object.keys(states) as readonly (keyof typeof states)[];

const looks: Readonly<Record<keyof typeof states, BadgeLook>> = {
  queued: "neutral",
  running: "neutral",
  completed: "good",
  canceled: "warning",
  stopped: "bad",
};

/** Whether nothing of the job changes any longer. */
export const hasEnded = ({ state }: Job): boolean => state !== JobState.QUEUED && state !== JobState.RUNNING;

/** The words about the state of a job. */
export function JobBadges({ job }: { readonly job: Job }) {
  const name = stateNames.find((each) => states[each] === job.state) ?? "queued";
  return (
    <>
      <Badge look={looks[name]}>{t(`job.state.${name}`)}</Badge> {job.dryRun && <Badge>{t("job.dryRun")}</Badge>}
    </>
  );
}

/** How many users succeeded, failed and are left. */
export const countsOf = ({ succeeded, failed, left }: Job): string =>
  t("job.counts", { succeeded: formatNumber(succeeded), failed: formatNumber(failed), left: formatNumber(left) });
