import {
  authorityContext,
  checkTargets,
  formatScope,
  isKnownScope,
  isResourceScope,
  parseScope,
  resolveOrganization,
  withoutAlias,
} from "../authority/index.ts";
import { OAuthError } from "../base/oauth-error.ts";
import { createDeviceAuthorization } from "../domain/device-authorization/index.ts";
import { endpointPaths, type WebHandler } from "../web/index.ts";
import { answerErrors } from "./answer-errors.ts";
import { type AuthenticatedClient, authenticateClient } from "./client-authentication/authenticate-client.ts";
import type { OAuthDeps } from "./deps.ts";
import { parseForm } from "./parameters.ts";
import { readResources, repeatableResource } from "./read-resources.ts";
import { json } from "./respond.ts";
import { deviceCode } from "./token/grants/device-code.ts";

/**
 * Creates the device authorization endpoint (RFC 8628 §3.1): a device without a browser gets a device code, and a user
 * code to type elsewhere. The client authenticates as at the token endpoint, and must be allowed to use the grant.
 */
export function createDeviceAuthorizationEndpoint(deps: OAuthDeps): WebHandler {
  return answerErrors(deps, async (request) => {
    const { call, instance } = request;
    const parameters = parseForm(request.header("content-type"), request.body, repeatableResource);
    const authorization = request.header("authorization");
    const client = await authenticateClient(deps, { call, issuer: instance.origin, authorization, parameters });
    if (!client.grantTypes.has(deviceCode.grantType)) {
      throw new OAuthError("unauthorized_client", "the client may not use device authorization");
    }
    const named = readResources(parameters);
    const known = readScope(parameters.get("scope"), client, {
      aliases: deps.namespaceAliases,
      hasResources: named.length > 0,
    });
    const context = await authorityContext(deps, call);
    const { scope, resources } = await checkTargets(context, client, { scope: known, resources: named });
    // Refuses an unknown organization, before the user types a code.
    await resolveOrganization(deps, call, scope);
    const { settings } = await deps.settings.get("oidc", { instanceId: call.instanceId });
    const created = await createDeviceAuthorization(deps, call, {
      clientId: client.clientId,
      applicationId: client.applicationId,
      scope,
      resources,
      requestedFrom: request.clientAddress,
      lifetime: settings.deviceCodeLifetimeSeconds * 1000,
    });
    const verificationUri = instance.origin + endpointPaths.deviceVerification;
    return json(200, {
      device_code: created.deviceCode.reveal(),
      user_code: created.userCode,
      verification_uri: verificationUri,
      verification_uri_complete: `${verificationUri}?${new URLSearchParams({ user_code: created.userCode }).toString()}`,
      expires_in: settings.deviceCodeLifetimeSeconds,
      interval: created.pollingInterval,
    });
  });
}

// As at the authorization endpoint: unknown scopes are dropped silently, and so is `offline_access` when the client may
// not refresh.
function readScope(
  text: string | undefined,
  client: AuthenticatedClient,
  { aliases, hasResources }: { readonly aliases: readonly string[]; readonly hasResources: boolean },
): string {
  if (text === undefined) return hasResources ? "" : "openid";
  const kept = [...parseScope(text)].filter((token) => {
    const [own = ""] = withoutAlias([token], aliases);
    const isKnown = isKnownScope(own) || (hasResources && isResourceScope(own));
    return isKnown && (own !== "offline_access" || client.grantTypes.has("refresh_token"));
  });
  if (kept.length === 0) throw new OAuthError("invalid_scope", "no scope of the request is known");
  return formatScope(kept);
}
