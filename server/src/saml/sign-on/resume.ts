import { type AuthRequest, findRequestOfBrowser, markAnswered } from "../../domain/auth-request/index.ts";
import {
  answeredAlready,
  deliver,
  findAnsweringSession,
  isConsentMissing,
  redirect,
  refuseFormerTarget,
} from "../../oauth/index.ts";
import { readBrowser, type WebHandler, type WebRequest, type WebResponse } from "../../web/index.ts";
import type { SamlEndpointDeps } from "../deps.ts";
import { asPartner, type PartnerClient } from "../find-partner.ts";
import { errorResponse, issueResponse } from "../response/issue-response.ts";
import type { SamlStatus } from "../status.ts";
import { toStatus } from "./endpoint.ts";

/**
 * Creates the endpoint to which the hosted login returns the browser. Everything is checked again, and only the browser
 * that made the request gets the response.
 */
export function createResumeEndpoint(deps: SamlEndpointDeps): WebHandler {
  return async (request) => {
    const authRequestId = new URLSearchParams(request.query).get("id") ?? "";
    const browser = readBrowser(request);
    const found = browser && (await findRequestOfBrowser(deps, request, { browser, authRequestId }));
    if (browser === undefined || found?.parameters.saml === undefined) return gone(deps, request);
    const { call } = request;
    const client = await deps.clients.find(call.instanceId, found.clientId);
    try {
      const partner = client && asPartner(client, call.now);
      if (partner === undefined) return gone(deps, request);
      const refused = await refuseFormerTarget(deps, partner.client, found.parameters);
      if (refused !== undefined) return deps.renderUntrusted(request, refused);
      if (found.declinedAt !== undefined) {
        return await refuse(deps, request, found, { code: "Responder", detail: "AuthnFailed", message: declined });
      }
      return await resume(deps, request, { found, partner, browserHash: browser.hash });
    } catch (error) {
      return await refuse(deps, request, found, toStatus(deps, request, error));
    }
  };
}

const declined = "the user returned without signing in";

interface Resumed {
  readonly found: AuthRequest;
  readonly partner: PartnerClient;
  readonly browserHash: string;
}

async function resume(
  deps: SamlEndpointDeps,
  request: WebRequest,
  { found, partner, browserHash }: Resumed,
): Promise<WebResponse> {
  const { call, instance } = request;
  const { authRequestId, parameters, consentedSessionId } = found;
  const { client } = partner;
  const session = await findAnsweringSession(deps, request, found, browserHash);
  if (session === undefined) return redirect(pageFor("/ui/login", authRequestId));
  if (await isConsentMissing(deps, call, { client, parameters, session, consentedSessionId })) {
    return redirect(pageFor("/ui/login/consent", authRequestId));
  }
  const input = { partner, parameters, session, authRequestId, consentedSessionId, issuer: instance.origin };
  const response = await issueResponse(deps, call, input);
  return response === undefined ? gone(deps, request) : deliver(deps, request, response);
}

const pageFor = (path: string, authRequest: string): string =>
  `${path}?${new URLSearchParams({ authRequest }).toString()}`;

const gone = (deps: SamlEndpointDeps, request: WebRequest): WebResponse =>
  deps.renderUntrusted(request, answeredAlready());

/** Answers the request with an error, once. */
async function refuse(
  deps: SamlEndpointDeps,
  request: WebRequest,
  { authRequestId, parameters }: AuthRequest,
  status: SamlStatus,
): Promise<WebResponse> {
  const isFirst = await deps.database.touch(request.call, (tx) => markAnswered(tx, authRequestId));
  if (!isFirst) return gone(deps, request);
  const target = { parameters, issuer: request.instance.origin };
  return deliver(deps, request, await errorResponse(deps, request.call, target, status));
}
