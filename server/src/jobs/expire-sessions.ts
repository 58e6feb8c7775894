import { seconds } from "../base/clock.ts";
import { type ExpireSessionsDeps, expireSessions as expire } from "../domain/sign-out/index.ts";
import type { DeliverLogoutsDeps } from "./deliver-logouts.ts";
import type { Job } from "./job.ts";

/** Notifies the clients of expired sessions, which no request does. */
export const expireSessions = (deps: ExpireSessionsDeps & DeliverLogoutsDeps): Job => ({
  name: "expire_sessions",
  every: seconds(30),
  run: async ({ signal }) => {
    const sessions = await expire(deps, signal);
    if (sessions > 0) deps.logoutDelivery.wake();
    return { sessions };
  },
});
