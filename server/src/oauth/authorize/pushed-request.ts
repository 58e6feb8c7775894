import type { Call } from "../../call/index.ts";
import { pushedRequestPrefix, redeemPushedRequest } from "../../domain/auth-request/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../error.ts";
import type { Parameters } from "../parameters.ts";

/** Whether the request refers to one that was pushed. */
export const isReference = (parameters: Parameters): boolean =>
  parameters.get("request_uri")?.startsWith(pushedRequestPrefix) === true;

/**
 * The parameters of an authorization request: as they came, or, for a reference, as the client pushed them. Whatever stands beside a
 * reference counts for nothing (RFC 9126 §4), and bringing the reference spends it, whatever comes of the request (§7.3).
 * Throws `invalid_request_uri`, which no client may get: nobody knows whose reference it was.
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
