import { OAuthError } from "../../base/oauth-error.ts";
import {
  type AuthRequest,
  answersRequest,
  asAnswer,
  findRequestOfBrowser,
  markAnswered,
} from "../../domain/auth-request/index.ts";
import { findSession, isSignedIn, type Session } from "../../domain/session/index.ts";
import { isContextOutOfReach } from "../../domain/sign-in/index.ts";
import { answeredAlready, deliver, hostOf, isConsentMissing, redirect, refuseFormerTarget } from "../../oauth/index.ts";
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
  const { authRequestId, parameters, sessionId, consentedSessionId } = found;
  const { client } = partner;
  const session =
    sessionId === undefined ? undefined : await findSession(deps.database.read, call.instanceId, sessionId);
  const demand = { ...parameters, requestedAt: found.createdAt, host: hostOf(instance) };
  const isAnswer = async (candidate: Session): Promise<boolean> =>
    (await isSignedIn(deps, call, candidate)) && (await answersRequest(deps, call, candidate, demand));
  if (session === undefined || !(await isAnswer(session))) {
    const visit = { browserHash, authRequest: found, userAgent: {}, host: demand.host };
    if (session !== undefined && (await isContextOutOfReach(deps, call, visit, session))) {
      throw new OAuthError("unmet_authentication_requirements", "the user cannot prove what is asked for");
    }
    return redirect(pageFor("/ui/login", authRequestId));
  }
  const answering = await asAnswer(deps, call, session, demand);
  if (await isConsentMissing(deps, call, { client, parameters, session: answering, consentedSessionId })) {
    return redirect(pageFor("/ui/login/consent", authRequestId));
  }
  const input = { partner, parameters, session: answering, authRequestId, consentedSessionId, issuer: instance.origin };
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
