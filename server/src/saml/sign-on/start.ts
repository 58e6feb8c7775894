import { OAuthError } from "../../base/oauth-error.ts";
import { findApplication } from "../../domain/application/index.ts";
import { UntrustedRequest } from "../../oauth/index.ts";
import type { WebHandler, WebRequest } from "../../web/index.ts";
import type { SamlEndpointDeps } from "../deps.ts";
import { asPartner } from "../find-partner.ts";
import { toPageReason } from "../page-reason.ts";
import type { AuthnRequest } from "./authn-request.ts";
import { answerAsked } from "./endpoint.ts";

const longestRelayState = 1024;

/**
 * Creates the address at which a user begins a sign-in to a service provider (SAML Profiles §4.1.5): `application` is
 * its id, `RelayState` is passed on. Only for applications that allow it, because they cannot tell whether their user
 * began it, or another site did in the user's browser.
 */
export function createStartEndpoint(deps: SamlEndpointDeps): WebHandler {
  return async (request) => {
    const asked = await readStart(deps, request).catch(toPageReason);
    return asked instanceof Error ? deps.renderUntrusted(request, asked) : answerAsked(deps, request, asked);
  };
}

async function readStart(deps: SamlEndpointDeps, { call, query }: WebRequest): Promise<AuthnRequest> {
  const parameters = new URLSearchParams(query);
  const relayState = parameters.get("RelayState") ?? undefined;
  if (Buffer.byteLength(relayState ?? "") > longestRelayState) {
    throw new OAuthError("invalid_request", `RelayState has more than ${longestRelayState} bytes`);
  }
  const application = await findApplication(deps.database.read, call.instanceId, parameters.get("application") ?? "");
  const client = application && (await deps.clients.find(call.instanceId, application.clientId));
  const partner = client && asPartner(client, call.now);
  const location = partner?.configuration.partner.consumers[0]?.location;
  if (partner?.configuration.isIdpInitiatedAllowed !== true || location === undefined) {
    throw new UntrustedRequest("authorize.client_unknown", { detail: "no application lets its users begin here" });
  }
  return {
    ...partner,
    location,
    requestId: undefined,
    relayState,
    binding: "redirect",
    isForced: false,
    isPassive: false,
    nameIdFormat: undefined,
    context: {},
    contextClasses: [],
  };
}
