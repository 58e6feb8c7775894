export { createFetchRequestObject } from "./authorize/referenced-object.ts";
export { createLogoutDelivery } from "./back-channel-logout/create-logout-delivery.ts";
export { createClientKeys } from "./client-authentication/client-keys.ts";
export { createDocumentCache } from "./client-documents/document-cache.ts";
export { createExplainClient, createFindClient } from "./client-documents/find-client.ts";
export type { OAuthDeps } from "./deps.ts";
export { createOAuthRoutes } from "./routes.ts";
