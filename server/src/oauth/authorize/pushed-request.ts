import type { Call } from "../../call/index.ts";
import { pushedRequestPrefix, redeemPushedRequest } from "../../domain/auth-request/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../error.ts";
import type { Parameters } from "../parameters.ts";

/** Whether the request is a reference to a pushed one. */
export const isReference = (parameters: Parameters): boolean =>
  parameters.get("request_uri")?.startsWith(pushedRequestPrefix) === true;

/**
 * Returns the parameters of an authorization request: unchanged, or, for a reference, those that the client pushed.
 * Other parameters beside a reference are ignored (RFC 9126 §4), and the first use of the reference consumes it,
 * whatever the outcome (§7.3).
 * Throws `invalid_request_uri`, which is not sent to a client: the owner of the reference is unknown.
 */
export async function unfoldPushedRequest(
  deps: Pick<OAuthDeps, "database">,
  call: Call,
  parameters: Parameters,
): Promise<Parameters> {
  const requestUri = parameters.get("request_uri");
  if (requestUri === undefined || !isReference(parameters)) return parameters;
  const clientId = parameters.get("client_id") ?? "";
  const pushed = await deps.database.touch(call, (tx) => redeemPushedRequest(tx, { requestUri, clientId }));
  if (pushed === undefined) {
    throw new OAuthError(
      "invalid_request_uri",
      "the pushed request is unknown, was used, is too old or is another client's",
    );
  }
  return pushed;
}
