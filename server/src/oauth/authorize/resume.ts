import { OAuthError } from "../../base/oauth-error.ts";
import { type AuthRequest, findRequestOfBrowser, markAnswered } from "../../domain/auth-request/index.ts";
import { listSignedInSessions, type Session } from "../../domain/session/index.ts";
import { endpointPaths, readBrowser, type WebHandler, type WebRequest, type WebResponse } from "../../web/index.ts";
import { toOAuthError } from "../answer-errors.ts";
import { findCustomLogin } from "../custom-login.ts";
import { redirect } from "../response-mode/authorization-response.ts";
import { deliver } from "../response-mode/deliver.ts";
import { errorResponse } from "./answer.ts";
import { answerWithConsent } from "./answer-with-consent.ts";
import { answeredAlready } from "./answered-already.ts";
import { findAnsweringSession } from "./answering-session.ts";
import { answerAsUser, type RequestAsUser } from "./as-user/answer-as-user.ts";
import { offersImpersonation } from "./as-user/offers-impersonation.ts";
import type { AuthorizeDeps } from "./authorize-deps.ts";
import { releaseToCustomLogin } from "./hand-to-login.ts";
import { refuseFormerTarget } from "./refuse-former-target.ts";

/**
 * Creates the endpoint to which the hosted login returns the browser. All requirements for the session are checked here
 * again (also `max_age`, however the session was established). Only the browser that made the request receives the
 * response.
 */
export function createResumeEndpoint(deps: AuthorizeDeps): WebHandler {
  return async (request) => {
    const { call, instance } = request;
    const authRequestId = new URLSearchParams(request.query).get("id") ?? "";
    const browser = readBrowser(request);
    const found = browser && (await findRequestOfBrowser(deps, request, { browser, authRequestId }));
    if (found === undefined) return deps.renderUntrusted(request, answeredAlready());
    const { parameters } = found;
    // Pages of the login do not tell protocols apart.
    if (parameters.saml !== undefined) return redirect(pageOfSaml(authRequestId));
    const client = await deps.clients.find(call.instanceId, found.clientId);
    if (client?.isActive !== true) return deps.renderUntrusted(request, answeredAlready());
    const refused = await refuseFormerTarget(deps, client, parameters);
    if (refused !== undefined) return deps.renderUntrusted(request, refused);
    if (found.declinedAt !== undefined) return decline(deps, request, found);
    const { impersonationId } = found;
    if (impersonationId !== undefined) {
      return resumeAsUser(deps, request, { found, impersonationId, client, browserHash: browser?.hash ?? "" });
    }
    if (parameters.isForImpersonation === true) {
      return leaveImpersonation(deps, request, { found, client, browserHash: browser?.hash ?? "" });
    }
    let session: Session | undefined;
    try {
      session = await findAnsweringSession(deps, request, found, browser?.hash ?? "");
    } catch (error) {
      if (error instanceof OAuthError) return refuse(deps, request, found, error);
      throw error;
    }
    if (session === undefined) return redirect(pageFor("/ui/login", authRequestId));
    try {
      const { consentedSessionId } = found;
      const common = { client, parameters, authRequestId, issuer: instance.origin, consentedSessionId };
      const input = { ...common, session };
      const answer = await answerWithConsent(deps, call, input);
      switch (answer.kind) {
        case "answered":
          return await deliver(deps, request, answer.response);
        case "consent":
          return redirect(pageFor("/ui/login/consent", authRequestId));
        case "gone":
          return deps.renderUntrusted(request, answeredAlready());
        default:
          return answer satisfies never;
      }
    } catch (error) {
      const worded = toOAuthError(error);
      if (worded.code === "server_error") deps.report(error, call.requestId);
      return deliver(deps, request, errorResponse(worded, parameters, instance.origin));
    }
  };
}

/**
 * Leads a request that no session answers to the page of its impersonation, or to the custom login of its application
 * once there is none.
 */
async function leaveImpersonation(
  deps: AuthorizeDeps,
  request: WebRequest,
  { found, client, browserHash }: Omit<RequestAsUser, "impersonationId">,
): Promise<WebResponse> {
  const { call } = request;
  const { parameters, authRequestId } = found;
  const sessions = await listSignedInSessions(deps, call, browserHash);
  if (await offersImpersonation(deps, call, { client, parameters, sessions })) {
    return redirect(pageFor("/ui/login/impersonation", authRequestId));
  }
  const base = await findCustomLogin(deps, call, client);
  if (base === undefined) {
    return refuse(deps, request, found, new OAuthError("access_denied", "the impersonation has ended"));
  }
  const handed = await releaseToCustomLogin(deps, request, { found, base, browserHash });
  return handed ?? deps.renderUntrusted(request, answeredAlready());
}

/** Answers the request in the impersonation that its administrator chose, or refuses it, once. */
async function resumeAsUser(deps: AuthorizeDeps, request: WebRequest, asked: RequestAsUser): Promise<WebResponse> {
  try {
    const response = await answerAsUser(deps, request, asked);
    if (response === undefined) return deps.renderUntrusted(request, answeredAlready());
    return await deliver(deps, request, response);
  } catch (error) {
    const worded = toOAuthError(error);
    if (worded.code === "server_error") deps.report(error, request.call.requestId);
    return refuse(deps, request, asked.found, worded);
  }
}

const pageOfSaml = (id: string): string => `${endpointPaths.samlCallback}?${new URLSearchParams({ id }).toString()}`;

const pageFor = (path: string, authRequest: string): string =>
  `${path}?${new URLSearchParams({ authRequest }).toString()}`;

/** Tells the application that the user canceled the sign-in (RFC 6749 §4.1.2.1). */
const decline = (deps: AuthorizeDeps, request: WebRequest, found: AuthRequest): Promise<WebResponse> =>
  refuse(deps, request, found, new OAuthError("access_denied", "the user returned without signing in"));

/** Answers the request with an error, once. */
async function refuse(
  deps: AuthorizeDeps,
  request: WebRequest,
  { authRequestId, parameters }: AuthRequest,
  error: OAuthError,
): Promise<WebResponse> {
  const isFirst = await deps.database.touch(request.call, (tx) => markAnswered(tx, authRequestId));
  if (!isFirst) return deps.renderUntrusted(request, answeredAlready());
  return deliver(deps, request, errorResponse(error, parameters, request.instance.origin));
}
