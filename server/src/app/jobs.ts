import type { Config } from "../config/index.ts";
import {
  causesMessages,
  createBulkJobRunner,
  createJobs,
  createMilestoneWatch,
  createNotificationDelivery,
  createQuotaDelivery,
  type Schedule,
} from "../jobs/index.ts";
import { namespaceWord } from "../rpc/index.ts";
import type { Answering } from "./answering.ts";
import type { Domain } from "./domain.ts";

/** Creates the jobs of this process. Each run is counted, and logged when it did something or failed. */
export function createAppJobs(
  domain: Domain,
  { observeJob, logoutDelivery, actions, performRow, recall }: Answering,
  config: Pick<Config, "mode" | "namespaceAliases" | "twilioOrigin">,
): Schedule {
  const witness = {
    warn: (message: string, details: Readonly<Record<string, unknown>>) => domain.log.warn(details, message),
    report: (error: unknown, requestId: string) => domain.log.error({ err: error, requestId }, "unexpected failure"),
  };
  const milestones = createMilestoneWatch({
    ...domain,
    ...witness,
    warn: (message, details) => domain.log.warn(details ?? {}, message),
  });
  const quotaDelivery = createQuotaDelivery({ ...domain, ...witness });
  const notificationDelivery = createNotificationDelivery({
    ...domain,
    ...witness,
    namespaceWords: [...new Set([namespaceWord, ...config.namespaceAliases])],
    twilioOrigin: config.twilioOrigin,
    isCaptured: config.mode === "dev",
  });
  const bulkJobs = createBulkJobRunner({ ...domain, ...witness, performRow, recall });
  const schedule = createJobs({
    ...domain,
    logoutDelivery,
    notificationDelivery,
    quotaDelivery,
    bulkJobs,
    actions,
    observe: (run) => {
      observeJob(run);
      const { job, counts, error } = run;
      const milliseconds = Math.round(run.milliseconds);
      if (error !== undefined) domain.log.error({ err: error, job, milliseconds }, "job failed");
      else if (Object.values(counts).some((count) => count > 0)) {
        domain.log.info({ job, milliseconds, ...counts }, "job done");
      }
    },
  });
  let unsubscribe = (): void => {};
  let unlisten = (): void => {};
  return {
    ...schedule,
    start: () => {
      // The jobs only make up for what was missed: the node that ends a session or queues a message delivers it at
      // once.
      const committed = ({ type }: { readonly type: string }): void => {
        if (type === "session.terminated") logoutDelivery.wake();
        else if (type === "job.created") bulkJobs.wake();
        else if (type === "quota.notification.queued") quotaDelivery.wake();
        else if (causesMessages(type)) notificationDelivery.wake();
      };
      unsubscribe = domain.database.onCommitted({ committed, missed: () => {} });
      unlisten = domain.messageQueued.listen(() => notificationDelivery.wake());
      milestones.start();
      actions.following.start();
      schedule.start();
    },
    stop: async () => {
      unsubscribe();
      unlisten();
      // What fills the queues stops before what empties them.
      await Promise.all([actions.following.stop(), milestones.stop(), bulkJobs.stop()]);
      const deliveries = [actions.delivery, logoutDelivery, notificationDelivery, quotaDelivery];
      await Promise.all([...deliveries.map((delivery) => delivery.stop()), schedule.stop()]);
    },
  };
}
