import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import { claimReference } from "../../domain/auth-request/index.ts";
import type { WebHandler, WebRequest, WebResponse } from "../../web/index.ts";
import { toOAuthError } from "../answer-errors.ts";
import type { OAuthDeps } from "../deps.ts";
import { deliver } from "../response-mode/deliver.ts";
import { errorResponse } from "./answer.ts";
import { answerRequest } from "./answer-request.ts";
import { answeredAlready } from "./answered-already.ts";
import { askWithCookies, isWithoutCookies } from "./ask-with-cookies.ts";
import type { TrustedRequest } from "./asked.ts";
import type { AuthorizeDeps } from "./authorize-deps.ts";
import { authorizationChecks } from "./checks.ts";
import { findTarget } from "./find-target.ts";
import { readRequest } from "./read-request.ts";
import { recordUntrusted } from "./record-refused.ts";
import { toReference } from "./reference.ts";
import { refuseFormerTarget } from "./refuse-former-target.ts";
import { UntrustedRequest } from "./resolve-client.ts";
import { runChecks } from "./run-checks.ts";

/**
 * Creates the authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2). Errors of client and redirect URI are
 * shown first, on a page. Every other error goes to the client in the response mode of the request, with `state` and
 * `iss`: those of `checks.ts`, in its order, and then those of the answer.
 */
export function createAuthorizeEndpoint(deps: AuthorizeDeps): WebHandler {
  return async (request) => {
    const sent = readRequest(request);
    if (sent.refused === undefined && isWithoutCookies(request)) return askWithCookies(deps, request, sent.parameters);
    const trusted = await findTarget(deps, request, sent).catch(toReason);
    if (trusted instanceof Error) {
      await recordUntrusted(deps, request, trusted);
      return deps.renderUntrusted(request, trusted);
    }
    return checkAndAnswer(deps, request, trusted).catch((error: unknown) => refuse(deps, request, trusted, error));
  };
}

/** Returns what a page says about a request that has no trusted target. */
function toReason(error: unknown): UntrustedRequest | OAuthError {
  if (error instanceof UntrustedRequest) return error.refused ?? error;
  if (error instanceof OAuthError && error.code === "invalid_request_uri") return error;
  throw error;
}

async function checkAndAnswer(deps: AuthorizeDeps, request: WebRequest, trusted: TrustedRequest): Promise<WebResponse> {
  return answerRequest(deps, request, await runChecks(trusted, authorizationChecks));
}

/**
 * Sends an error to the client, where its responses may still go. It is the answer to the request, and uses up what
 * brought it.
 */
async function refuse(
  deps: AuthorizeDeps,
  request: WebRequest,
  { call, client, issuer, target, parameters, referenceHash }: TrustedRequest,
  error: unknown,
): Promise<WebResponse> {
  const worded = toOAuthError(error);
  if (worded.code === "server_error") deps.report(error, call.requestId);
  else if (!(await isFirstAnswer(deps, call, referenceHash))) return deps.renderUntrusted(request, answeredAlready());
  const responseType = parameters.get("response_type");
  const former = await refuseFormerTarget(deps, client, { ...target, responseType });
  if (former !== undefined) return deps.renderUntrusted(request, former);
  return deliver(deps, request, errorResponse(worded, target, issuer));
}

/** Uses up the reference of a request that is answered with an error. */
async function isFirstAnswer(deps: OAuthDeps, call: Call, referenceHash: string | undefined): Promise<boolean> {
  if (referenceHash === undefined) return true;
  const reference = await toReference(deps, call, referenceHash);
  return deps.database.touch(call, (tx) => claimReference(tx, reference));
}
