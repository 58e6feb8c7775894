import { Fault } from "../base/fault.ts";
import { OAuthError } from "../base/oauth-error.ts";
import { DatabaseUnavailable } from "../database/index.ts";
import type { WebHandler, WebRequest, WebResponse } from "../web/index.ts";
import type { OAuthDeps } from "./deps.ts";
import { oauthErrorResponse } from "./respond.ts";

/** Converts exceptions of a handler to OAuth errors; details of an unexpected failure appear only in the log. */
export function answerErrors(
  deps: Pick<OAuthDeps, "report">,
  handler: WebHandler,
  respond: (error: OAuthError, request: WebRequest) => WebResponse = oauthErrorResponse,
): WebHandler {
  return async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      const worded = toOAuthError(error);
      request.call.note?.({ errorId: worded.code });
      if (worded.code === "server_error") deps.report(error, request.call.requestId);
      return respond(worded, request);
    }
  };
}

/** The only conversion of exceptions to OAuth errors. */
export function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof DatabaseUnavailable || (error instanceof Fault && error.code === "resource_exhausted")) {
    return new OAuthError("temporarily_unavailable", "try again in a moment", { cause: error });
  }
  // A value that no statement accepts (a NUL character), anywhere in the request.
  if (error instanceof Fault && error.code === "invalid_argument") {
    return new OAuthError("invalid_request", "a value has a character that is not allowed", { cause: error });
  }
  return new OAuthError("server_error", "unexpected condition", { cause: error });
}
