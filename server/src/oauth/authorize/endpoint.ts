import { authorityContext, checkTargets, resolveOrganization } from "../../authority/index.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import {
  type AuthRequestParameters,
  asAnswer,
  claimReference,
  isReferenceAnswered,
} from "../../domain/auth-request/index.ts";
import { findUserByLoginName } from "../../domain/login-name/index.ts";
import { listSignedInSessions } from "../../domain/session/index.ts";
import { isBrowserNew, readBrowser, type WebHandler, type WebRequest, type WebResponse } from "../../web/index.ts";
import { toOAuthError } from "../answer-errors.ts";
import { findCustomLogin } from "../custom-login.ts";
import type { OAuthDeps } from "../deps.ts";
import { type Parameters, parseForm, parseParameters, RepeatedParameter } from "../parameters.ts";
import { repeatableResource } from "../read-resources.ts";
import { redirect } from "../response-mode/authorization-response.ts";
import { type DeliverDeps, deliver } from "../response-mode/deliver.ts";
import { readSignInHint } from "../sign-in-hint.ts";
import { errorResponse } from "./answer.ts";
import { answerWithConsent } from "./answer-with-consent.ts";
import { answeredAlready } from "./answered-already.ts";
import { type AuthorizationRequest, checkAuthorizationRequest, readUiLocales } from "./authorization-request.ts";
import { chooseSession } from "./choose-session.ts";
import { handToCustomLogin, handToLogin } from "./hand-to-login.ts";
import { hostOf } from "./host-of.ts";
import { type BroughtRequest, isReference, unfoldPushedRequest } from "./pushed-request.ts";
import { toReference } from "./reference.ts";
import { withReferencedObject } from "./referenced-object.ts";
import { unfoldRequestObject } from "./request-object.ts";
import { resolveClient, resolveTarget, UntrustedRequest } from "./resolve-client.ts";

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
    if (problem === undefined && isWithoutCookies(request)) return askWithCookies(deps, request, sent);
    try {
      const brought = await unfoldPushedRequest(deps, request.call, sent);
      const client = await resolveClient(deps, request.call, brought.parameters);
      const {
        parameters,
        referenceHash,
        problem: refused,
      } = await unfold(deps, request, client, {
        ...brought,
        problem,
      });
      const target = resolveTarget(client, parameters, refused);
      try {
        if (refused !== undefined) throw refused;
        checkManner(client, sent);
        const { redirectUri } = target;
        const { namespaceAliases } = deps;
        const checked = checkAuthorizationRequest(parameters, { client, redirectUri, namespaceAliases });
        const targets = await checkTargets(await authorityContext(deps, request.call), client, checked);
        return await proceed(deps, request, { ...checked, ...targets }, referenceHash);
      } catch (error) {
        const worded = toOAuthError(error);
        if (worded.code === "server_error") deps.report(error, request.call.requestId);
        else if (!(await isFirstAnswer(deps, request.call, referenceHash))) {
          return deps.renderUntrusted(request, answeredAlready());
        }
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

/** Checks that the request came in the way that the client is bound to. */
function checkManner(client: Client, sent: Parameters): void {
  if (isReference(sent)) return;
  if (client.isPushRequired) {
    throw new OAuthError("invalid_request", "the client must push its authorization requests");
  }
  // RFC 9101 §10.5. A pushed request was checked when it was pushed.
  if (client.isRequestObjectRequired && !sent.has("request") && !sent.has("request_uri")) {
    throw new OAuthError("invalid_request", "the client must send a signed request object");
  }
}

/** Uses up the reference of a request that is answered with an error. */
async function isFirstAnswer(deps: OAuthDeps, call: Call, referenceHash: string | undefined): Promise<boolean> {
  if (referenceHash === undefined) return true;
  const reference = await toReference(deps, call, referenceHash);
  return deps.database.touch(call, (tx) => claimReference(tx, reference));
}

interface ReadRequest {
  readonly parameters: Parameters;
  /** The error to return once the response target is known. */
  readonly problem: OAuthError | undefined;
}

// A browser withholds its cookie (SameSite=Lax) from a form that another site posts. It would seem to be a new browser
// without sessions, and get another secret in place of its own.
const isWithoutCookies = (request: WebRequest): boolean =>
  request.method === "POST" && readBrowser(request) === undefined && !isBrowserNew(request);

const longestQuery = 8_000;
const relayed = "doorward_relayed";

/**
 * Has the browser send the same request with its cookie: as a GET or, when it is too long for an address, from a page
 * of ours. A browser that sends none from there either is not given one.
 */
async function askWithCookies(deps: AuthorizeDeps, request: WebRequest, sent: Parameters): Promise<WebResponse> {
  if (request.body.length <= longestQuery) return redirect(asGet(request.path, sent));
  if (sent.has(relayed)) {
    return deps.renderUntrusted(request, new OAuthError("invalid_request", "the browser sends no cookies"));
  }
  const target = request.instance.origin + request.path;
  const parameters = { ...Object.fromEntries(sent), [relayed]: "1" };
  return deps.renderFormPost(request, { target, parameters, uiLocales: readUiLocales(sent) });
}

const asGet = (path: string, parameters: Parameters): string =>
  `${path}?${new URLSearchParams([...parameters]).toString()}`;

/** A request as its client made it, or the error for it. */
type UnfoldedRequest = ReadRequest & BroughtRequest;

/** Returns the request of its request object. When the object is refused, returns the original request with the error. */
async function unfold(
  deps: AuthorizeDeps,
  { call, instance }: WebRequest,
  client: Client,
  brought: UnfoldedRequest,
): Promise<UnfoldedRequest> {
  const { parameters: sent, problem } = brought;
  if (problem !== undefined) return brought;
  try {
    const { clientKeys } = deps;
    const complete = await withReferencedObject(deps, call, client, sent);
    const source = complete === sent ? "value" : "published";
    const place = { clientKeys, call, issuer: instance.origin, source } as const;
    const { parameters, referenceHash = brought.referenceHash } = await unfoldRequestObject(place, client, complete);
    const isUsed =
      referenceHash !== undefined && (await isReferenceAnswered(deps.database.read, call.instanceId, referenceHash));
    if (isUsed) throw new OAuthError("invalid_request_object", "the request object was used before");
    return { parameters, referenceHash, problem: undefined };
  } catch (error) {
    if (error instanceof OAuthError) return { ...brought, problem: error };
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

async function proceed(
  deps: AuthorizeDeps,
  request: WebRequest,
  checked: AuthorizationRequest,
  referenceHash: string | undefined,
): Promise<WebResponse> {
  const { call, instance } = request;
  const parameters = {
    ...(await toParameters(deps, request, checked)),
    ...(referenceHash !== undefined && { referenceHash }),
  };
  const { client } = checked;
  // A custom login manages its own sessions, also for `prompt=none`: only it knows the sessions of each browser.
  const base = await findCustomLogin(deps, call, client);
  if (base !== undefined) return handToCustomLogin(deps, request, { client, parameters, base });
  const browser = readBrowser(request);
  const sessions = browser ? await listSignedInSessions(deps, call, browser.hash) : [];
  const hintedUserId = await findHinted(deps, call, parameters, sessions);
  const demand = { ...parameters, requestedAt: call.now, host: hostOf(instance) };
  const choice = await chooseSession(deps, call, sessions, { demand, hintedUserId });
  if (choice.kind === "answer") {
    const session = await asAnswer(deps, call, choice.session, demand);
    const input = { client, parameters, session, authRequestId: undefined, issuer: instance.origin };
    const answer = await answerWithConsent(deps, call, { ...input, consentedSessionId: undefined });
    if (answer.kind === "answered") return deliver(deps, request, answer.response);
    if (answer.kind === "gone") return deps.renderUntrusted(request, answeredAlready());
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
  const { claims, context } = checked;
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
    ...context,
    ...(organizationId !== undefined && { organizationId }),
  };
}
