import type { WebRequest } from "../../web/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { BroughtRequest, TrustedRequest } from "./asked.ts";
import { openTest } from "./open-test.ts";
import { unfoldPushedRequest } from "./pushed-request.ts";
import { resolveClient, resolveTarget } from "./resolve-client.ts";
import { unfoldObject } from "./unfold-object.ts";

/**
 * Finds out whose request it is, and where its response goes. A pushed request is taken from its reference, the client
 * is found, and a request object is opened with the keys of the client. The redirect URI in it must be one of the
 * client. Throws what may be shown on a page only: `UntrustedRequest`, and `invalid_request_uri` of a reference.
 */
export async function findTarget(deps: OAuthDeps, request: WebRequest, sent: BroughtRequest): Promise<TrustedRequest> {
  const {
    call,
    instance: { origin: issuer },
  } = request;
  const test = await openTest(deps, request, sent);
  const pushed = test ?? (await unfoldPushedRequest(deps, call, sent));
  const client = await resolveClient(deps, call, pushed);
  if (test !== undefined) {
    const { target } = test;
    return { ...test, deps, call, issuer, client, redirectUri: target.redirectUri, sent: sent.parameters, target };
  }
  const asked = await unfoldObject(deps, { call, issuer }, client, pushed);
  const target = resolveTarget(client, asked);
  return { ...asked, deps, call, issuer, client, redirectUri: target.redirectUri, sent: sent.parameters, target };
}
