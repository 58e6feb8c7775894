import { orderTokens } from "../../authority/index.ts";
import { Fault } from "../../base/fault.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { CheckedProof } from "../../bearer/index.ts";
import { extendFamily, type IssuedTokens, revokeFamilyNow, startFamily } from "../../domain/token/index.ts";
import type { WebHandler, WebRequest } from "../../web/index.ts";
import { answerErrors } from "../answer-errors.ts";
import { type AuthenticatedClient, authenticateClient } from "../client-authentication/authenticate-client.ts";
import { countClient } from "../count-client.ts";
import type { OAuthDeps } from "../deps.ts";
import { readProof, spendProof, withNonce } from "../dpop/present-proof.ts";
import { type Parameters, parseForm, required } from "../parameters.ts";
import { repeatableResource } from "../read-resources.ts";
import { json } from "../respond.ts";
import { createContext } from "./create-context.ts";
import type { GiveBack, Grant, GrantContext, GrantDecision, Issuance, Refusal } from "./grant.ts";
import { mayUseClient } from "./may-use-client.ts";
import { tokenResponse } from "./token-response.ts";

/** RFC 8693 §2.1 lets the audience repeat; every other parameter has one value. */
const repeatable = ["audience", ...repeatableResource] as const;

/**
 * Creates the token endpoint (RFC 6749 §3.2). It owns the phases, so that no grant can forget one: form only, one value
 * per parameter, known grant, client authentication, grant allowed for the client, client allowed for the user, one
 * unit of work, signing after the commit, `no-store`.
 */
export function createTokenEndpoint(deps: OAuthDeps, grants: readonly Grant[]): WebHandler {
  const byType = new Map(grants.map((grant) => [grant.grantType, grant]));
  const handler = answerErrors(deps, async (request) => {
    const parameters = parseForm(request.header("content-type"), request.body, repeatable);
    const grant = byType.get(required(parameters, "grant_type"));
    if (grant === undefined) throw new OAuthError("unsupported_grant_type", "the grant type is not supported");
    const proof = await readProof(deps, request);
    const { call, instance } = request;
    const received = { issuer: instance.origin, dpopThumbprint: proof?.thumbprint };
    const context = await createContext(deps, call, received);
    const { client, decision } = await prepare(grant, { context, proof }, parameters, request);
    const { issued, giveBack, ...recipient } = await issue(context, client, decision);
    try {
      return json(200, await tokenResponse(context, issued, { client, ...recipient }));
    } catch (error) {
      await undo(context, issued, giveBack);
      throw error;
    }
  });
  return withNonce(deps, handler);
}

async function prepare(
  grant: Grant,
  { context, proof }: { readonly context: GrantContext; readonly proof: CheckedProof | undefined },
  parameters: Parameters,
  request: WebRequest,
): Promise<{ readonly client: AuthenticatedClient | undefined; readonly decision: GrantDecision }> {
  const authorization = request.header("authorization");
  if (grant.authentication === "own") {
    const decision = await grant.prepare(context, parameters, authorization);
    await proof?.spend();
    if (decision.clientId !== undefined) countClient(context.deps, context.call, "token", decision.clientId);
    return { client: undefined, decision };
  }
  const { deps, call, issuer } = context;
  const client = await authenticateClient(deps, { call, issuer, authorization, parameters });
  await spendProof(proof, client);
  if (client.kind === "confidential") countClient(deps, call, "token", client.clientId);
  if (!client.grantTypes.has(grant.grantType)) {
    throw new OAuthError("unauthorized_client", "the client may not use this grant type");
  }
  if (client.isDpopRequired && context.dpopThumbprint === undefined) {
    throw new OAuthError("invalid_dpop_proof", "the client must prove possession of a key");
  }
  return { client, decision: await grant.prepare(context, parameters, client) };
}

// Tokens are recorded at their user, who may be deleted after they were found.
const ofGoneUser = (error: unknown): unknown =>
  error instanceof Fault && error.id === "user.not_found"
    ? new OAuthError("invalid_grant", "the user no longer exists", { cause: error })
    : error;

/** Gives back what the request spent. Failing at that must not hide why there is no response. */
async function undo({ deps, call }: GrantContext, issued: IssuedTokens, giveBack: GiveBack | undefined): Promise<void> {
  if (giveBack === undefined) return;
  try {
    // The request has its events already; the loss of its tokens is not another one.
    await deps.database.touch(call, (tx) => giveBack(tx, issued));
  } catch (error) {
    deps.report(error, call.requestId);
  }
}

interface Issued extends Pick<Issuance, "withIdToken" | "notAfter" | "issuedTokenType"> {
  readonly issued: IssuedTokens;
  readonly giveBack: GiveBack | undefined;
}

async function issue(
  { deps, call, lifetimes, dpopThumbprint }: GrantContext,
  client: AuthenticatedClient | undefined,
  decision: GrantDecision,
): Promise<Issued> {
  const outcome = await deps.database
    .change(call, async (tx) => {
      const decided = await decision.decide(tx);
      // The work of a refused request must be rolled back, and only an exception does that.
      if ("error" in decided) throw new Refused(decided);
      const { userId } = "repeated" in decided ? decided.repeated.family : decided.family.family;
      if (!(await mayUseClient(tx, tx.instanceId, client, userId))) {
        throw new OAuthError("invalid_grant", "the user may no longer use this application");
      }
      if ("repeated" in decided) {
        const { repeated: issued, withIdToken, giveBack } = decided;
        return { issued, withIdToken, giveBack };
      }
      const order = orderTokens(decided, { lifetimes, now: tx.now, client, dpopThumbprint });
      const issued =
        decided.family.kind === "new"
          ? startFamily(tx, deps, decided.family.family, order)
          : await extendFamily(tx, deps, decided.family, order);
      if (issued === undefined) throw new OAuthError("invalid_grant", "the grant was revoked");
      await decided.onIssued?.(issued);
      const { withIdToken, notAfter, issuedTokenType, keptRefreshToken, giveBack } = decided;
      return {
        issued: keptRefreshToken === undefined ? issued : { ...issued, refreshToken: keptRefreshToken },
        withIdToken,
        giveBack,
        ...(notAfter !== undefined && { notAfter }),
        ...(issuedTokenType !== undefined && { issuedTokenType }),
      };
    })
    .catch((error: unknown) => (error instanceof Refused ? error : Promise.reject(ofGoneUser(error))));
  if (!(outcome instanceof Refused)) return outcome;
  const { error, revoke } = outcome.refusal;
  if (revoke !== undefined) await revokeFamilyNow(deps, call, revoke.familyId, revoke.reason);
  throw error;
}

class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.error.message);
    this.refusal = refusal;
  }
}
