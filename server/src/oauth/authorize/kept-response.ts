import type { OAuthError } from "../../base/oauth-error.ts";
import { generateSecret, hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { type AuthRequestParameters, keepResponse, takeResponse } from "../../domain/auth-request/index.ts";
import { endpointPaths, type WebHandler, type WebRequest, type WebResponse } from "../../web/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { type AuthorizationResponse, responseUrl } from "../response-mode/authorization-response.ts";
import { type DeliverDeps, deliver } from "../response-mode/deliver.ts";
import { answeredAlready } from "./answered-already.ts";
import { refuseFormerTarget } from "./refuse-former-target.ts";
import type { UntrustedRequest } from "./resolve-client.ts";

/** The request that a response belongs to. */
interface Answered {
  readonly authRequestId: string;
  readonly clientId: string;
  readonly parameters: Pick<AuthRequestParameters, "responseType">;
}

/** A response as it is kept, with what says whether it may still be sent. */
interface KeptResponse extends AuthorizationResponse {
  readonly clientId: string;
  readonly responseType: string;
}

/**
 * Returns the address to which a custom login sends the browser. A response that does not fit into an address
 * (`form_post`) is stored encrypted, and the address is that of our page that posts it.
 */
export async function callbackUrlOf(
  deps: OAuthDeps,
  call: Call,
  { request: { authRequestId, clientId, parameters }, issuer }: { readonly request: Answered; readonly issuer: string },
  response: AuthorizationResponse,
): Promise<string> {
  const { responseMode } = response;
  if (responseMode !== "form_post") return responseUrl({ ...response, responseMode });
  const key = generateSecret(deps.random);
  const { responseType } = parameters;
  const kept: KeptResponse = { ...response, clientId, responseType };
  const sealed = deps.vault.encrypt(JSON.stringify(kept), sealOf(call, authRequestId));
  await deps.database.touch(call, (tx) => keepResponse(tx, { authRequestId, keyHash: hashSecret(key), sealed }));
  const query = new URLSearchParams({ id: authRequestId, key: key.reveal() });
  return `${issuer}${endpointPaths.authorizationResponse}?${query.toString()}`;
}

interface KeptResponseDeps extends OAuthDeps, DeliverDeps {
  readonly renderUntrusted: (request: WebRequest, reason: OAuthError | UntrustedRequest) => WebResponse;
}

/**
 * Creates the endpoint where a browser fetches its stored response: once, and during the lifetime of an authorization
 * code.
 */
export function createKeptResponseEndpoint(deps: KeptResponseDeps): WebHandler {
  return async (request) => {
    const { call } = request;
    const query = new URLSearchParams(request.query);
    const authRequestId = query.get("id") ?? "";
    const { settings } = await deps.settings.get("oidc", { instanceId: call.instanceId });
    const sealed = await deps.database.touch(call, (tx) =>
      takeResponse(tx, {
        authRequestId,
        keyHash: hashSecret(query.get("key") ?? ""),
        lifetime: settings.authorizationCodeLifetimeSeconds * 1000,
      }),
    );
    if (sealed === undefined) return deps.renderUntrusted(request, answeredAlready());
    const opened = deps.vault.decrypt(sealed, sealOf(call, authRequestId)).reveal();
    const { clientId, responseType, ...response } = JSON.parse(opened) as KeptResponse;
    const client = await deps.clients.find(call.instanceId, clientId);
    if (client === undefined) return deps.renderUntrusted(request, answeredAlready());
    const { redirectUri } = response;
    const refused = await refuseFormerTarget(deps, client, { redirectUri, responseType });
    return refused === undefined ? deliver(deps, request, response) : deps.renderUntrusted(request, refused);
  };
}

// The context of the encryption, so that the value cannot be decrypted elsewhere.
const sealOf = (call: Call, authRequestId: string): string =>
  `auth_requests/${call.instanceId}/${authRequestId}/response`;
