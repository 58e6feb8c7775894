import { lazy } from "../base/lazy.ts";

export type { SamlDeps } from "./deps.ts";
export { createSamlLogoutSender } from "./late-sender.ts";
export { createSamlRoutes } from "./routes.ts";
export type { SamlStatus } from "./status.ts";

/** Loads what answers requests for logins of other origins. */
export const loadResponses = lazy(() => import("./responses.ts"));
