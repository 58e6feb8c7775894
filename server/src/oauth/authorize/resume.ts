import { findBrowserAuthRequest, satisfiesRequest } from "../../domain/auth-request/index.ts";
import { findSession } from "../../domain/session/index.ts";
import { readBrowser, type WebHandler } from "../../web/index.ts";
import { toOAuthError } from "../answer-errors.ts";
import { OAuthError } from "../error.ts";
import { redirect } from "../response-mode/response-mode.ts";
import { answerWithCode, errorUrl } from "./answer.ts";
import type { AuthorizeDeps } from "./endpoint.ts";

/**
 * Where the hosted login sends the browser when the person is done. Everything that the request demands of a session is checked here once more
 * (also `max_age`, on whatever path the session came), and only the browser that brought the request gets its answer.
 */
export function createResumeEndpoint(deps: AuthorizeDeps): WebHandler {
  return async (request) => {
    const { call, instance } = request;
    const authRequestId = new URLSearchParams(request.query).get("id") ?? "";
    const browser = readBrowser(request);
    const found =
      browser &&
      (await findBrowserAuthRequest(
        deps.database.read,
        call.instanceId,
        { authRequestId, browserHash: browser.hash },
        call.now,
      ));
    if (found === undefined) return deps.renderUntrusted(request, gone());
    const { parameters, sessionId } = found;
    const client = await deps.clients.find(call.instanceId, found.clientId);
    if (client === undefined || !client.isActive) return deps.renderUntrusted(request, gone());
    const session = sessionId && (await findSession(deps.database.read, call.instanceId, sessionId));
    if (!session || !satisfiesRequest(session, { ...parameters, requestedAt: found.createdAt }, call.now)) {
      return redirect(`/ui/login?${new URLSearchParams({ authRequest: authRequestId }).toString()}`);
    }
    try {
      const url = await answerWithCode(deps, call, {
        client,
        parameters,
        session,
        authRequestId,
        issuer: instance.origin,
      });
      return url === undefined ? deps.renderUntrusted(request, gone()) : redirect(url);
    } catch (error) {
      const worded = toOAuthError(error);
      if (worded.code === "server_error") deps.report(error, call.requestId);
      return redirect(errorUrl(worded, parameters, instance.origin));
    }
  };
}

const gone = (): OAuthError =>
  new OAuthError("invalid_request", "this sign-in was answered already, is too old, or began in another browser");
