import { createJobs, type Schedule } from "../jobs/index.ts";
import type { Answering } from "./answering.ts";
import type { Domain } from "./domain.ts";

/** The jobs of this process; each run is counted, and logged when it did something or failed. */
export function createAppJobs(domain: Domain, { observeJob, logoutDelivery, actions }: Answering): Schedule {
  const schedule = createJobs({
    ...domain,
    ...{ logoutDelivery, actions },
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
  return {
    ...schedule,
    start: () => {
      // The job only makes up for what was missed: whoever ends a session here tells its clients from here, at once.
      const committed = ({ type }: { readonly type: string }): void => {
        if (type === "session.terminated") logoutDelivery.wake();
      };
      unsubscribe = domain.database.onCommitted({ committed, missed: () => {} });
      actions.following.start();
      schedule.start();
    },
    stop: async () => {
      unsubscribe();
      // What fills the queues ends before what empties them.
      await actions.following.stop();
      await Promise.all([actions.delivery.stop(), logoutDelivery.stop(), schedule.stop()]);
    },
  };
}
