export type { AuthorizeDeps } from "./authorize/endpoint.ts";
export { UntrustedRequest } from "./authorize/resolve-client.ts";
export type { OAuthDeps } from "./deps.ts";
export { endpointPaths } from "./endpoints.ts";
export { OAuthError } from "./error.ts";
export { readJwtId } from "./own-tokens.ts";
export { responseUrl } from "./response-mode/response-mode.ts";
export { createOAuthRoutes } from "./routes.ts";
export { verifyAccessToken } from "./verify-access-token.ts";
