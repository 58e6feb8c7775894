import { seconds } from "../base/clock.ts";
import { limitWaitingNotices, type QueueDeps } from "../domain/logout-notice/index.ts";
import type { Job } from "./job.ts";

/** Gives up notices to clients where too many wait. Apart from the delivery, whose run lasts as long as its clients. */
export const limitLogouts = (deps: QueueDeps): Job => ({
  name: "limit_logouts",
  every: seconds(10),
  run: async ({ signal }) => ({ given_up: await limitWaitingNotices(deps, { signal }) }),
});
