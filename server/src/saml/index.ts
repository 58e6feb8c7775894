export type { SamlDeps } from "./deps.ts";
export { asPartner } from "./find-partner.ts";
export { createSamlLogoutSender } from "./logout/send-logout.ts";
export { errorResponse, issueResponse } from "./response/issue-response.ts";
export { createSamlRoutes } from "./routes.ts";
export type { SamlStatus } from "./status.ts";
