import type { OAuthError } from "../../base/oauth-error.ts";
import { recordFailedSignIn, type SignInStep } from "../../domain/sign-in-attempt/index.ts";
import type { WebRequest } from "../../web/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { UntrustedRequest } from "./resolve-client.ts";

/** Records a request that is refused on a page: its user cannot go on, and has only the reference on the page. */
export async function recordUntrusted(
  deps: OAuthDeps,
  request: WebRequest,
  reason: UntrustedRequest | OAuthError,
): Promise<void> {
  const client = reason instanceof UntrustedRequest ? reason.client : undefined;
  await recordFailedSignIn(deps, request.call, {
    // Its application is all that is known of it.
    organizationId: client?.organizationId,
    clientId: client?.clientId,
    userAgent: agentOf(request),
    steps: [reason instanceof UntrustedRequest ? untrusted[reason.slug] : refusedRequest],
  });
}

const refusedRequest: SignInStep = { check: "request", outcome: "refused" };

const untrusted: Readonly<Record<UntrustedRequest["slug"], SignInStep>> = {
  "authorize.client_unknown": { check: "application", outcome: "unknown" },
  "authorize.redirect_uri_missing": refusedRequest,
  "authorize.redirect_uri_mismatch": { check: "request", outcome: "not_allowed", setting: "redirect_uris" },
};

/** Returns what the browser says of itself; only words that are recognized in it are kept. */
function agentOf(request: WebRequest) {
  const agent = request.header("user-agent");
  return agent === undefined ? {} : { header: { "user-agent": [agent] } };
}
