import { seconds } from "../base/clock.ts";
import { OAuthError } from "../base/oauth-error.ts";
import type { Call } from "../call/index.ts";
import { claimReference, createPushedRequest } from "../domain/auth-request/index.ts";
import type { WebHandler } from "../web/index.ts";
import { answerErrors } from "./answer-errors.ts";
import type { Asked } from "./authorize/asked.ts";
import { pushChecks } from "./authorize/checks.ts";
import { keepKnown } from "./authorize/known-parameters.ts";
import { toReference } from "./authorize/reference.ts";
import { unfoldRequestObject } from "./authorize/request-object.ts";
import { resolveClient, resolveTarget, UntrustedRequest } from "./authorize/resolve-client.ts";
import { runChecks } from "./authorize/run-checks.ts";
import { type AuthenticatedClient, authenticateClient } from "./client-authentication/authenticate-client.ts";
import type { OAuthDeps } from "./deps.ts";
import { readProof, spendProof, withNonce } from "./dpop/present-proof.ts";
import { type Parameters, parseForm } from "./parameters.ts";
import { repeatableResource } from "./read-resources.ts";
import { json } from "./respond.ts";

/** How long the browser may take to present the reference: RFC 9126 §2.2 recommends 5 to 600 seconds. */
const lifetimeSeconds = 90;

/** Client credentials are not part of the request. */
const proofs: ReadonlySet<string> = new Set(["client_secret", "client_assertion", "client_assertion_type"]);

/**
 * Creates pushed authorization requests (RFC 9126): the client sends its request itself, authenticates as at the token
 * endpoint, and immediately learns of errors. The browser then carries only a reference.
 */
export function createPushEndpoint(deps: OAuthDeps): WebHandler {
  const handler = answerErrors(deps, async (request) => {
    const { call, instance, header, body } = request;
    const sent = parseForm(header("content-type"), body, repeatableResource);
    const authorization = header("authorization");
    const issuer = instance.origin;
    // RFC 9449 §8: a proof without nonce is answered before the client assertion is spent, so that the client can
    // repeat its request. The proof itself is kept only for a client that is proven.
    const proof = await readProof(deps, request);
    const client = await authenticateClient(deps, { call, issuer, authorization, parameters: sent });
    await spendProof(proof, client);
    await runChecks({ client, sent }, pushChecks.form);
    const { clientId } = client;
    const stated = new Map([...sent].filter(([name]) => !proofs.has(name))).set("client_id", clientId);
    const arrival = { clientKeys: deps.clientKeys, call, issuer, source: "pushed" } as const;
    const unfolded = await unfoldRequestObject(arrival, client, stated);
    const parameters = bindToKey(unfolded.parameters, proof?.thumbprint);
    await check(deps, { call, issuer, parameters });
    const kept = keepKnown(parameters);
    countBytes(deps, call, { client, bytes: kept.bytes });
    const { referenceHash } = unfolded;
    const object = referenceHash === undefined ? undefined : await toReference(deps, call, referenceHash);
    const requestUri = await deps.database.touch(call, async (tx) => {
      if (object !== undefined && !(await claimReference(tx, object))) return undefined;
      return createPushedRequest(tx, deps, {
        clientId,
        parameters: kept.parameters,
        lifetime: seconds(lifetimeSeconds),
      });
    });
    if (requestUri === undefined) throw new OAuthError("invalid_request_object", "the request object was used before");
    return json(201, { request_uri: requestUri, expires_in: lifetimeSeconds });
  });
  return withNonce(deps, handler);
}

// Any number of requests could be stored before the first expires. A public client proves nothing, so that strangers
// could use up what it has: only sources count there.
function countBytes(
  { budgets }: OAuthDeps,
  { instanceId, now, source = "" }: Call,
  { client, bytes }: { readonly client: AuthenticatedClient; readonly bytes: number },
): void {
  const of = { instanceId, now };
  const wait =
    budgets.take("pushed_bytes_of_source", { ...of, source }, bytes) ||
    (client.kind === "confidential"
      ? budgets.take("pushed_bytes_of_client", { ...of, subject: client.clientId }, bytes)
      : 0);
  if (wait === 0) return;
  throw new OAuthError("temporarily_unavailable", "too much is pushed", { retryAfter: Math.ceil(wait / 1000) });
}

/**
 * A proof beside a pushed request binds its code, as `dpop_jkt` does; when both are present they must agree (RFC 9449
 * §10.1).
 */
function bindToKey(parameters: Parameters, thumbprint: string | undefined): Parameters {
  if (thumbprint === undefined) return parameters;
  const claimed = parameters.get("dpop_jkt");
  if (claimed !== undefined && claimed !== thumbprint) {
    throw new OAuthError("invalid_dpop_proof", "the proof is of another key than dpop_jkt");
  }
  return new Map([...parameters, ["dpop_jkt", thumbprint]]);
}

type Pushed = Pick<Asked, "call" | "issuer" | "parameters">;

/** Checks everything that the authorization endpoint would refuse without involving the user (RFC 9126 §2.1). */
async function check(deps: OAuthDeps, pushed: Pushed): Promise<void> {
  const target = await findTarget(deps, pushed).catch((error: unknown) => {
    throw error instanceof UntrustedRequest ? new OAuthError("invalid_request", sentences[error.slug]) : error;
  });
  await runChecks({ ...pushed, ...target, deps }, pushChecks.request);
}

async function findTarget(deps: OAuthDeps, pushed: Pushed): Promise<Pick<Asked, "client" | "redirectUri">> {
  const client = await resolveClient(deps, pushed.call, pushed);
  return { client, redirectUri: resolveTarget(client, pushed).redirectUri };
}

const sentences = {
  "authorize.client_unknown": "the client has no authorization endpoint",
  "authorize.redirect_uri_missing": "parameter redirect_uri is missing",
  "authorize.redirect_uri_mismatch": "redirect_uri is not registered for the client",
} as const satisfies Record<UntrustedRequest["slug"], string>;
