import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import { type AuthRequestParameters, asAnswer } from "../../domain/auth-request/index.ts";
import { findUserByLoginName } from "../../domain/login-name/index.ts";
import { listSignedInSessions } from "../../domain/session/index.ts";
import { readBrowser, type WebRequest, type WebResponse } from "../../web/index.ts";
import { findCustomLogin } from "../custom-login.ts";
import { deliver } from "../response-mode/deliver.ts";
import { answerWithConsent } from "./answer-with-consent.ts";
import { answeredAlready } from "./answered-already.ts";
import { offersImpersonation } from "./as-user/offers-impersonation.ts";
import type { AuthorizeDeps } from "./authorize-deps.ts";
import { chooseSession } from "./choose-session.ts";
import { handToCustomLogin, handToLogin } from "./hand-to-login.ts";
import { hostOf } from "./host-of.ts";
import { listKnownSessions } from "./known-sessions.ts";
import { refuseFormerTarget } from "./refuse-former-target.ts";
import { type CheckedRequest, toParameters } from "./to-parameters.ts";

/**
 * Answers a checked request: with a session of the browser, or by handing it to the login, hosted or custom, that
 * comes back with the user.
 */
export async function answerRequest(
  deps: AuthorizeDeps,
  request: WebRequest,
  checked: CheckedRequest,
): Promise<WebResponse> {
  const { call, instance } = request;
  const { client } = checked;
  const parameters = toParameters(checked);
  const browser = readBrowser(request);
  const signedIn = browser ? await listSignedInSessions(deps, call, browser.hash) : [];
  // Before any other login, and never silently: as whom an application is used is shown each time.
  if (await offersImpersonation(deps, call, { client, parameters, sessions: signedIn })) {
    if (parameters.prompt.includes("none")) {
      throw new OAuthError("interaction_required", "the user is asked as whom they sign in");
    }
    const isElsewhere = (await findCustomLogin(deps, call, client)) !== undefined;
    const asked = isElsewhere ? { ...parameters, isForImpersonation: true as const } : parameters;
    return handToLogin(deps, request, { client, parameters: asked, browser, wanted: "impersonation" });
  }
  // A custom login manages its own sessions, including for `prompt=none`: only it knows the sessions of each browser.
  // A test is bound to a browser, which only the hosted login knows.
  const base = parameters.testId === undefined ? await findCustomLogin(deps, call, client) : undefined;
  if (base !== undefined) return handToCustomLogin(deps, request, { client, parameters, base });
  const sessions = await listKnownSessions(deps, call, { client, parameters, sessions: signedIn });
  const hintedUserId = await findHinted(deps, call, parameters, sessions);
  const demand = { ...parameters, requestedAt: call.now, host: hostOf(instance) };
  const choice = await chooseSession(deps, call, sessions, { demand, hintedUserId }).catch((error: unknown) => {
    throw error instanceof OAuthError && sessions.length < signedIn.length ? consentRequired() : error;
  });
  if (choice.kind === "answer") {
    const refused = await refuseFormerTarget(deps, client, parameters);
    if (refused !== undefined) return deps.renderUntrusted(request, refused);
    const session = await asAnswer(deps, call, choice.session, demand);
    const input = { client, parameters, session, authRequestId: undefined, issuer: instance.origin };
    const answer = await answerWithConsent(deps, call, { ...input, consentedSessionId: undefined });
    if (answer.kind === "answered") return deliver(deps, request, answer.response);
    if (answer.kind === "gone") return deps.renderUntrusted(request, answeredAlready());
    if (answer.kind === "consent") {
      if (parameters.prompt.includes("none")) throw consentRequired();
      const { sessionId } = session;
      return handToLogin(deps, request, { client, parameters, browser, wanted: "consent", sessionId });
    }
  }
  return handToLogin(deps, request, { client, parameters, browser, wanted: choice.kind });
}

const consentRequired = () => new OAuthError("consent_required", "the user has not consented to the client");

/** Returns the user in `login_hint`, when it decides between several sessions. */
async function findHinted(
  { database }: AuthorizeDeps,
  { instanceId }: Call,
  { loginHint, prompt, organizationId }: AuthRequestParameters,
  sessions: readonly unknown[],
): Promise<string | undefined> {
  if (loginHint === undefined || sessions.length < 2 || !prompt.includes("none")) return undefined;
  return (await findUserByLoginName(database.read, instanceId, loginHint, { organizationId }))?.userId;
}
