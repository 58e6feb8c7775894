import { isReferenceAnswered } from "../../domain/auth-request/index.ts";
import { answeredAlready, deliver, refuseFormerTarget, toOAuthError } from "../../oauth/index.ts";
import type { WebHandler, WebRequest, WebResponse } from "../../web/index.ts";
import type { SamlEndpointDeps } from "../deps.ts";
import { toPageReason } from "../page-reason.ts";
import { readMessage } from "../read-message.ts";
import { errorResponse } from "../response/issue-response.ts";
import { askWithCookies, readSent } from "../sent-message.ts";
import { SamlError, type SamlStatus, statusOf } from "../status.ts";
import { answerRequest } from "./answer-request.ts";
import type { AuthnRequest, RefusedRequest, ResponseTarget } from "./authn-request.ts";
import { readAuthnRequest } from "./read-authn-request.ts";
import { toParameters } from "./to-parameters.ts";

/**
 * Creates the endpoint for requests to sign a user in (SAML Profiles §4.1). Errors are shown on a page until the
 * address of the service provider is proven. From then on they go there, as the status of a response.
 */
export function createSignOnEndpoint(deps: SamlEndpointDeps): WebHandler {
  return async (request) => {
    const asked = await readRequest(deps, request).catch(toPageReason);
    if (asked instanceof Error) return deps.renderUntrusted(request, asked);
    if ("headers" in asked) return asked;
    if ("status" in asked) return refuse(deps, request, asked.target, asked.status);
    return answerAsked(deps, request, asked);
  };
}

/** Answers a checked request; an error goes to the service provider. */
export async function answerAsked(
  deps: SamlEndpointDeps,
  request: WebRequest,
  asked: AuthnRequest,
): Promise<WebResponse> {
  try {
    return await answerRequest(deps, request, asked);
  } catch (error) {
    return refuse(deps, request, asked, toStatus(deps, request, error));
  }
}

async function readRequest(
  deps: SamlEndpointDeps,
  request: WebRequest,
): Promise<AuthnRequest | RefusedRequest | WebResponse> {
  const sent = readSent(request);
  const asking = await askWithCookies(deps, request, sent);
  if (asking !== undefined) return asking;
  const read = await readMessage(deps, request, sent, {
    name: "AuthnRequest",
    parameter: "SAMLRequest",
    isSignatureRequired: ({ configuration }) =>
      configuration.isSignatureRequired || configuration.partner.isRequestSigned,
  });
  const asked = readAuthnRequest(request, read, sent.binding);
  const { referenceHash = "" } = "target" in asked ? {} : toParameters(asked);
  // Only for an early error: the answer uses the request up.
  if (referenceHash !== "" && (await isReferenceAnswered(deps.database.read, request.call.instanceId, referenceHash))) {
    throw answeredAlready();
  }
  return asked;
}

/** Returns the status for an error of the answer. */
export function toStatus(deps: SamlEndpointDeps, { call }: WebRequest, error: unknown): SamlStatus {
  if (error instanceof SamlError) return error.status;
  const worded = toOAuthError(error);
  if (worded.code === "server_error") deps.report(error, call.requestId);
  return statusOf(worded);
}

/** Sends an error to the service provider, where its responses may still go. */
async function refuse(
  deps: SamlEndpointDeps,
  request: WebRequest,
  { client, location, requestId, relayState, configuration }: ResponseTarget,
  status: SamlStatus,
): Promise<WebResponse> {
  const former = await refuseFormerTarget(deps, client, { redirectUri: location, responseType: undefined });
  if (former !== undefined) return deps.renderUntrusted(request, former);
  const saml = {
    entityId: configuration.partner.entityId,
    binding: "post",
    contextClasses: [],
    ...(requestId !== undefined && { requestId }),
    ...(relayState !== undefined && { relayState }),
  } as const;
  const target = { parameters: { redirectUri: location, saml }, issuer: request.instance.origin };
  return deliver(deps, request, await errorResponse(deps, request.call, target, status));
}
