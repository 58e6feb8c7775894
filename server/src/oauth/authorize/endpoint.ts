import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { type AuthRequestParameters, asAnswer } from "../../domain/auth-request/index.ts";
import { listSignedInSessions } from "../../domain/session/index.ts";
import { findUserByLoginName } from "../../domain/user/index.ts";
import { readBrowser, type WebHandler, type WebRequest, type WebResponse } from "../../web/index.ts";
import { toOAuthError } from "../answer-errors.ts";
import { checkTargets } from "../authority/check-targets.ts";
import { authorityContext } from "../authority/context.ts";
import { findCustomLogin } from "../custom-login.ts";
import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../error.ts";
import { type Parameters, parseForm, parseParameters, RepeatedParameter } from "../parameters.ts";
import { repeatableResource } from "../resource.ts";
import { redirect } from "../response-mode/authorization-response.ts";
import { type DeliverDeps, deliver } from "../response-mode/deliver.ts";
import { readSignInHint } from "../sign-in-hint.ts";
import { errorResponse } from "./answer.ts";
import { answerWithConsent } from "./answer-with-consent.ts";
import { type AuthorizationRequest, checkAuthorizationRequest } from "./authorization-request.ts";
import { chooseSession } from "./choose-session.ts";
import { handToCustomLogin, handToLogin } from "./hand-to-login.ts";
import { isReference, unfoldPushedRequest } from "./pushed-request.ts";
import { withReferencedObject } from "./referenced-object.ts";
import { unfoldRequestObject } from "./request-object.ts";
import { resolveClient, resolveTarget, UntrustedRequest } from "./resolve-client.ts";
import { resolveOrganization } from "./resolve-organization.ts";

export interface AuthorizeDeps extends OAuthDeps, DeliverDeps {
  /** Renders a page for a request whose error may not be sent to the client. */
  readonly renderUntrusted: (request: WebRequest, reason: UntrustedRequest | OAuthError) => WebResponse;
}

/**
 * Creates the authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2). Errors of client and redirect URI are
 * shown first, on a page. Every other error goes to the client in the response mode of the request, with `state` and
 * `iss`.
 */
export function createAuthorizeEndpoint(deps: AuthorizeDeps): WebHandler {
  return async (request) => {
    const { parameters: sent, problem } = readParameters(request);
    if (problem === undefined && isWithoutCookies(request)) return redirect(asGet(request.path, sent));
    try {
      const brought = await unfoldPushedRequest(deps, request.call, sent);
      const client = await resolveClient(deps, request.call, brought);
      const { parameters, problem: refused } = await unfold(deps, request, client, { parameters: brought, problem });
      const target = resolveTarget(client, parameters, refused);
      try {
        if (refused !== undefined) throw refused;
        if (client.isPushRequired && !isReference(sent)) {
          throw new OAuthError("invalid_request", "the client must push its authorization requests");
        }
        const { redirectUri } = target;
        const { namespaceAliases } = deps;
        const checked = checkAuthorizationRequest(parameters, { client, redirectUri, namespaceAliases });
        const scope = await checkTargets(await authorityContext(deps, request.call), client, checked);
        return await proceed(deps, request, { ...checked, scope });
      } catch (error) {
        const worded = toOAuthError(error);
        if (worded.code === "server_error") deps.report(error, request.call.requestId);
        return await deliver(deps, request, errorResponse(worded, target, request.instance.origin));
      }
    } catch (error) {
      if (error instanceof UntrustedRequest) return deps.renderUntrusted(request, error.refused ?? problem ?? error);
      if (error instanceof OAuthError && error.code === "invalid_request_uri")
        return deps.renderUntrusted(request, error);
      throw error;
    }
  };
}

interface ReadRequest {
  readonly parameters: Parameters;
  /** The error to return once the response target is known. */
  readonly problem: OAuthError | undefined;
}

// A browser withholds its cookie (SameSite=Lax) from a form that another site posts. It would seem to be a new browser
// without sessions, and get another secret. The same request as a GET includes the cookie. One that is too long for an
// address stays a POST.
const longestQuery = 8_000;
const isWithoutCookies = (request: WebRequest): boolean =>
  request.method === "POST" && request.body.length <= longestQuery && readBrowser(request) === undefined;

const asGet = (path: string, parameters: Parameters): string =>
  `${path}?${new URLSearchParams([...parameters]).toString()}`;

/**
 * Returns the request merged with its request object. When the object is refused, returns the original request with the
 * error.
 */
async function unfold(
  deps: AuthorizeDeps,
  { call, instance }: WebRequest,
  client: Client,
  { parameters: sent, problem }: ReadRequest,
): Promise<ReadRequest> {
  if (problem !== undefined) return { parameters: sent, problem };
  try {
    const { clientKeys } = deps;
    const complete = await withReferencedObject(deps, call, client, sent);
    const parameters = await unfoldRequestObject({ clientKeys, call, issuer: instance.origin }, client, complete);
    return { parameters, problem: undefined };
  } catch (error) {
    if (error instanceof OAuthError) return { parameters: sent, problem: error };
    throw error;
  }
}

/** Returns the parameters that have exactly one value. */
function readParameters(request: WebRequest): ReadRequest {
  try {
    const parameters =
      request.method === "POST"
        ? parseForm(request.header("content-type"), request.body, repeatableResource)
        : parseParameters(request.query, repeatableResource);
    return { parameters, problem: undefined };
  } catch (error) {
    if (error instanceof RepeatedParameter) return { parameters: error.others, problem: error };
    if (error instanceof OAuthError) return { parameters: new Map(), problem: error };
    throw error;
  }
}

async function proceed(deps: AuthorizeDeps, request: WebRequest, checked: AuthorizationRequest): Promise<WebResponse> {
  const { call, instance } = request;
  const parameters = await toParameters(deps, request, checked);
  const { client } = checked;
  // A custom login manages its own sessions, also for `prompt=none`: only it knows the sessions of each browser.
  const base = await findCustomLogin(deps, call, client);
  if (base !== undefined) return handToCustomLogin(deps, request, { client, parameters, base });
  const browser = readBrowser(request);
  const sessions = browser ? await listSignedInSessions(deps, call, browser.hash) : [];
  const hintedUserId = await findHinted(deps, call, parameters, sessions);
  const demand = { ...parameters, requestedAt: call.now };
  const choice = await chooseSession(deps, call, sessions, { demand, hintedUserId });
  if (choice.kind === "answer") {
    const session = await asAnswer(deps, call, choice.session, demand);
    const input = { client, parameters, session, authRequestId: undefined, issuer: instance.origin };
    const answer = await answerWithConsent(deps, call, { ...input, consentedSessionId: undefined });
    if (answer.kind === "answered") return deliver(deps, request, answer.response);
    if (answer.kind === "consent") {
      if (parameters.prompt.includes("none"))
        throw new OAuthError("consent_required", "the person has to let the client in");
      const { sessionId } = session;
      return handToLogin(deps, request, { client, parameters, browser, wanted: "consent", sessionId });
    }
  }
  return handToLogin(deps, request, { client, parameters, browser, wanted: choice.kind });
}

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

async function toParameters(
  deps: AuthorizeDeps,
  { call, instance }: WebRequest,
  checked: AuthorizationRequest,
): Promise<AuthRequestParameters> {
  const organizationId = await resolveOrganization(deps, call, checked.scope);
  // A hint that is not one of our tokens is ignored: it is only a hint.
  const { idTokenHint: idToken } = checked;
  const isSilent = checked.prompt.has("none");
  const hint =
    idToken === undefined
      ? undefined
      : await readSignInHint(deps, call, { issuer: instance.origin, idToken, isSilent });
  const { claims } = checked;
  const expected = hint?.subject ?? (claims.subjects?.length === 1 ? claims.subjects[0] : undefined);
  if (
    claims.subjects !== undefined &&
    (expected === undefined ? claims.subjects.length === 0 : !claims.subjects.includes(expected))
  ) {
    throw new OAuthError("invalid_request", "id_token_hint and claims leave nobody who could answer");
  }
  const { state, nonce, codeChallenge, dpopThumbprint, resources, maxAge, loginHint } = checked;
  return {
    redirectUri: checked.redirectUri,
    responseType: checked.responseType,
    responseMode: checked.responseMode,
    scope: checked.scope,
    prompt: [...checked.prompt],
    uiLocales: checked.uiLocales,
    ...(state !== undefined && { state }),
    ...(nonce !== undefined && { nonce }),
    ...(codeChallenge !== undefined && { codeChallenge }),
    ...(dpopThumbprint !== undefined && { dpopThumbprint }),
    ...(resources.length > 0 && { resources }),
    ...(maxAge !== undefined && { maxAge }),
    ...(loginHint !== undefined && { loginHint }),
    ...(expected !== undefined && { hintUserId: expected }),
    ...(claims.subjects !== undefined && { subjects: claims.subjects }),
    ...(claims.requested && { claims: claims.requested }),
    ...(organizationId !== undefined && { organizationId }),
  };
}
