export { createBulkJobRunner } from "./create-bulk-job-runner.ts";
export { createJobs } from "./create-jobs.ts";
export { createQuotaDelivery } from "./create-quota-delivery.ts";
export type { Job, JobRun } from "./job.ts";
export { causesMessages, createNotificationDelivery } from "./notification-delivery/index.ts";
export { createSchedule, type Schedule } from "./schedule.ts";
export { createMilestoneWatch } from "./watch-milestones.ts";
