import type { Config } from "../config/index.ts";
import { causesMessages, createJobs, createNotificationDelivery, type Schedule } from "../jobs/index.ts";
import { namespaceWord } from "../rpc/index.ts";
import type { Answering } from "./answering.ts";
import type { Domain } from "./domain.ts";

/** Creates the jobs of this process. Each run is counted, and logged when it did something or failed. */
export function createAppJobs(
  domain: Domain,
  { observeJob, logoutDelivery, actions }: Answering,
  config: Pick<Config, "mode" | "namespaceAliases" | "twilioOrigin">,
): Schedule {
  const notificationDelivery = createNotificationDelivery({
    ...domain,
    namespaceWords: [...new Set([namespaceWord, ...config.namespaceAliases])],
    twilioOrigin: config.twilioOrigin,
    isCaptured: config.mode === "dev",
    warn: (message, details) => domain.log.warn(details, message),
    report: (error, requestId) => domain.log.error({ err: error, requestId }, "unexpected failure"),
  });
  const schedule = createJobs({
    ...domain,
    logoutDelivery,
    notificationDelivery,
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
        else if (causesMessages(type)) notificationDelivery.wake();
      };
      unsubscribe = domain.database.onCommitted({ committed, missed: () => {} });
      unlisten = domain.messageQueued.listen(() => notificationDelivery.wake());
      actions.following.start();
      schedule.start();
    },
    stop: async () => {
      unsubscribe();
      unlisten();
      // What fills the queues stops before what empties them.
      await actions.following.stop();
      await Promise.all([actions.delivery.stop(), logoutDelivery.stop(), notificationDelivery.stop(), schedule.stop()]);
    },
  };
}
