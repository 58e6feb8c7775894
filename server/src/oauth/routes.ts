import { endpointPaths, type RateLimitName, type WebRoute } from "../web/index.ts";
import type { AuthorizeDeps } from "./authorize/authorize-deps.ts";
import { createAuthorizeEndpoint } from "./authorize/endpoint.ts";
import { createKeptResponseEndpoint } from "./authorize/kept-response.ts";
import { createResumeEndpoint } from "./authorize/resume.ts";
import { createCommandLineEndpoint } from "./command-line.ts";
import { createDeviceAuthorizationEndpoint } from "./device-authorization.ts";
import { createDiscoveryEndpoint } from "./discovery.ts";
import { createEndSessionEndpoint } from "./end-session.ts";
import { createIntrospectEndpoint } from "./introspect.ts";
import { createKeysEndpoint } from "./keys.ts";
import { createProtectedResourceEndpoint } from "./protected-resource.ts";
import { createPushEndpoint } from "./push.ts";
import { createManageEndpoint } from "./register/manage.ts";
import { createRegisterEndpoint } from "./register/register.ts";
import { createRevokeEndpoint } from "./revoke.ts";
import { createTokenEndpoint } from "./token/endpoint.ts";
import type { Grant } from "./token/grant.ts";
import { authorizationCode } from "./token/grants/authorization-code.ts";
import { clientCredentials } from "./token/grants/client-credentials.ts";
import { deviceCode } from "./token/grants/device-code.ts";
import { jwtBearer } from "./token/grants/jwt-bearer.ts";
import { refreshToken } from "./token/grants/refresh-token.ts";
import { tokenExchange } from "./token/grants/token-exchange/token-exchange.ts";
import { createUserinfoEndpoint } from "./userinfo.ts";

/** Grants of the token endpoint; discovery lists them. */
const grants: readonly Grant[] = [
  authorizationCode,
  refreshToken,
  clientCredentials,
  jwtBearer,
  deviceCode,
  tokenExchange,
];

/**
 * Returns the routes of the protocol endpoints. Back-channel endpoints are open to any origin; endpoints for browser
 * navigation are open to none.
 */
export function createOAuthRoutes(deps: AuthorizeDeps): WebRoute[] {
  const grantTypes = grants.map(({ grantType }) => grantType);
  const open = (methods: readonly string[], path: string, handler: WebRoute["handler"]): WebRoute => ({
    methods,
    path,
    handler,
    protocol: "oauth",
    isOpenToOrigins: true,
    bodyLimit: 64 * 1024,
  });
  const limited = (rateLimit: RateLimitName, route: WebRoute): WebRoute => ({ ...route, rateLimit });
  const page = (methods: readonly string[], path: string, handler: WebRoute["handler"]): WebRoute => ({
    methods,
    path,
    handler,
    protocol: "page",
    bodyLimit: 64 * 1024,
  });
  const registration = (methods: readonly string[], path: string, handler: WebRoute["handler"]): WebRoute => ({
    ...limited("registration", open(methods, path, handler)),
    protocol: "registration",
    bodyLimit: 100 * 1024,
  });
  return [
    open(["GET"], endpointPaths.discovery, createDiscoveryEndpoint(deps, grantTypes)),
    open(["GET"], endpointPaths.protectedResource, createProtectedResourceEndpoint()),
    ...(deps.commandLine === "off"
      ? []
      : [limited("keys", open(["GET"], endpointPaths.commandLine, createCommandLineEndpoint(deps)))]),
    limited("keys", open(["GET"], endpointPaths.keys, createKeysEndpoint(deps))),
    limited("token", open(["POST"], endpointPaths.token, createTokenEndpoint(deps, grants))),
    limited("token", open(["POST"], endpointPaths.pushedAuthorization, createPushEndpoint(deps))),
    limited("token", open(["POST"], endpointPaths.deviceAuthorization, createDeviceAuthorizationEndpoint(deps))),
    limited("introspection", open(["POST"], endpointPaths.introspection, createIntrospectEndpoint(deps))),
    limited("token", open(["POST"], endpointPaths.revocation, createRevokeEndpoint(deps))),
    limited("introspection", open(["GET", "POST"], endpointPaths.userinfo, createUserinfoEndpoint(deps))),
    registration(["POST"], endpointPaths.registration, createRegisterEndpoint(deps)),
    registration(["GET", "PUT", "DELETE"], `${endpointPaths.registration}/:clientId`, createManageEndpoint(deps)),
    limited("authorization", page(["GET", "POST"], endpointPaths.authorization, createAuthorizeEndpoint(deps))),
    page(["GET"], endpointPaths.authorizationCallback, createResumeEndpoint(deps)),
    page(["GET"], endpointPaths.authorizationResponse, createKeptResponseEndpoint(deps)),
    limited("authorization", page(["GET", "POST"], endpointPaths.endSession, createEndSessionEndpoint(deps))),
  ];
}
