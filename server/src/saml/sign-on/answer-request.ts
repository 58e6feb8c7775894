import { OAuthError } from "../../base/oauth-error.ts";
import { asAnswer } from "../../domain/auth-request/index.ts";
import { listSignedInSessions } from "../../domain/session/index.ts";
import {
  answeredAlready,
  chooseSession,
  deliver,
  findCustomLogin,
  handToCustomLogin,
  handToLogin,
  hostOf,
  isConsentMissing,
  listKnownSessions,
  refuseFormerTarget,
} from "../../oauth/index.ts";
import { readBrowser, type WebRequest, type WebResponse } from "../../web/index.ts";
import type { SamlEndpointDeps } from "../deps.ts";
import { issueResponse } from "../response/issue-response.ts";
import type { AuthnRequest } from "./authn-request.ts";
import { toParameters } from "./to-parameters.ts";

/**
 * Answers a checked request as the authorization endpoint of OAuth does: with a session of the browser, or by handing
 * it to the login, hosted or custom, that comes back with the user.
 */
export async function answerRequest(
  deps: SamlEndpointDeps,
  request: WebRequest,
  asked: AuthnRequest,
): Promise<WebResponse> {
  const { call, instance } = request;
  const { client } = asked;
  const parameters = toParameters(asked);
  // A custom login manages its own sessions, also for passive requests: only it knows the sessions of each browser.
  const base = await findCustomLogin(deps, call, client);
  if (base !== undefined) return handToCustomLogin(deps, request, { client, parameters, base });
  const browser = readBrowser(request);
  const signedIn = browser ? await listSignedInSessions(deps, call, browser.hash) : [];
  const sessions = await listKnownSessions(deps, call, { client, parameters, sessions: signedIn });
  const demand = { ...parameters, requestedAt: call.now, host: hostOf(instance) };
  const choice = await chooseSession(deps, call, sessions, { demand, hintedUserId: undefined });
  if (choice.kind === "answer") {
    const session = await asAnswer(deps, call, choice.session, demand);
    if (await isConsentMissing(deps, call, { client, parameters, session, consentedSessionId: undefined })) {
      if (asked.isPassive) throw new OAuthError("consent_required", "the user has not consented to the application");
      const { sessionId } = session;
      return handToLogin(deps, request, { client, parameters, browser, wanted: "consent", sessionId });
    }
    const refused = await refuseFormerTarget(deps, client, parameters);
    if (refused !== undefined) return deps.renderUntrusted(request, refused);
    const nothingStored = { authRequestId: undefined, consentedSessionId: undefined };
    const input = { partner: asked, parameters, session, ...nothingStored, issuer: instance.origin };
    const response = await issueResponse(deps, call, input);
    if (response === undefined) return deps.renderUntrusted(request, answeredAlready());
    return deliver(deps, request, response);
  }
  return handToLogin(deps, request, { client, parameters, browser, wanted: choice.kind });
}
