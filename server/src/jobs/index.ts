export { createJobs, type JobsDeps } from "./create-jobs.ts";
export type { Counts, Job, JobContext, JobRun } from "./job.ts";
export {
  causesMessages,
  createNotificationDelivery,
  type NotificationDelivery,
} from "./notification-delivery/index.ts";
export { createSchedule, type Schedule, type ScheduleDeps } from "./schedule.ts";
