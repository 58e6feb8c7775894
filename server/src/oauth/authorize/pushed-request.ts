import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import { findPushedRequest, pushedRequestPrefix } from "../../domain/auth-request/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { Parameters } from "../parameters.ts";
import type { BroughtRequest } from "./asked.ts";

/** Whether the request is a reference to a pushed one. */
export const isReference = (parameters: Parameters): boolean =>
  parameters.get("request_uri")?.startsWith(pushedRequestPrefix) === true;

/**
 * Returns the parameters of an authorization request: unchanged, or, for a reference, those that the client pushed.
 * Other parameters beside a reference are ignored (RFC 9126 §4). The reference works until it expires or its request is
 * answered.
 * Throws `invalid_request_uri`, which is not sent to a client: the owner of the reference is unknown.
 */
export async function unfoldPushedRequest(
  deps: Pick<OAuthDeps, "database">,
  call: Call,
  brought: BroughtRequest,
): Promise<BroughtRequest> {
  const { parameters } = brought;
  const requestUri = parameters.get("request_uri");
  if (requestUri === undefined || !isReference(parameters)) return brought;
  const clientId = parameters.get("client_id") ?? "";
  const { instanceId, now } = call;
  const pushed = await findPushedRequest(deps.database.read, instanceId, { requestUri, clientId, now });
  if (pushed === undefined) {
    throw new OAuthError(
      "invalid_request_uri",
      "the pushed request is unknown, was answered, is too old or is another client's",
    );
  }
  return { ...brought, ...pushed, isScopeFromClient: true, isHintFromClient: true };
}
