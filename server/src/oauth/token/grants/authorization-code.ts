import { hash } from "node:crypto";
import { isStillConsented, needsConsent } from "../../../authority/index.ts";
import { OAuthError } from "../../../base/oauth-error.ts";
import { equalInConstantTime } from "../../../base/secret.ts";
import type { Tx } from "../../../database/index.ts";
import type { Client } from "../../../domain/application/index.ts";
import { findOpenImpersonation } from "../../../domain/impersonation/index.ts";
import { isSessionLive } from "../../../domain/session/index.ts";
import { type CodeIssuance, giveBackCode, redeemAuthorizationCode } from "../../../domain/token/index.ts";
import type { AuthenticatedClient } from "../../client-authentication/authenticate-client.ts";
import { type Parameters, required } from "../../parameters.ts";
import { readResources } from "../../read-resources.ts";
import { type Grant, type GrantContext, type Issuance, inContext, type Refusal } from "../grant.ts";
import { inImpersonation, withoutOfflineAccess } from "../in-impersonation.ts";
import { issuanceOfCode } from "../issuance-of-code.ts";

interface CodeRequest {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string | undefined;
  readonly resources: readonly string[];
}

/** Grant `authorization_code` (RFC 6749 §4.1.3) with PKCE (RFC 7636 §4.6). */
export const authorizationCode: Grant = {
  grantType: "authorization_code",
  authentication: "client",
  prepare: async (context, parameters, client) => {
    const request = parse(parameters);
    return { decide: (tx) => decide(tx, context, request, client) };
  },
};

function parse(parameters: Parameters): CodeRequest {
  return {
    code: required(parameters, "code"),
    redirectUri: required(parameters, "redirect_uri"),
    codeVerifier: parameters.get("code_verifier"),
    resources: readResources(parameters),
  };
}

async function decide(
  tx: Tx,
  context: GrantContext,
  request: CodeRequest,
  client: AuthenticatedClient,
): Promise<Issuance | Refusal> {
  const familyId = context.deps.newId();
  const redemption = await redeemAuthorizationCode(tx, request.code, { clientId: client.clientId, familyId });
  if (redemption.kind === "refused") return refused("the code is unknown, expired or was issued to another client");
  if (redemption.kind === "reused") {
    const revoke = { familyId: redemption.familyId, reason: "code_reused" } as const;
    return { ...refused("the code was used before"), revoke };
  }
  const { issuance } = redemption;
  if (issuance.redirectUri !== request.redirectUri)
    return refused("redirect_uri differs from the authorization request");
  const pkceProblem = checkCodeVerifier(issuance.codeChallenge, request.codeVerifier, client);
  if (pkceProblem !== undefined) return { error: pkceProblem };
  if (issuance.dpopThumbprint !== undefined && issuance.dpopThumbprint !== context.dpopThumbprint) {
    return refused("the code is bound to another key");
  }
  if (!(redemption.isSessionLive ?? (await isSessionLive(tx, tx.instanceId, issuance.sessionId)))) {
    return refused("the session has ended, or its user may not sign in");
  }
  const { userId, impersonationId } = issuance;
  const impersonation =
    impersonationId === undefined
      ? undefined
      : await findOpenImpersonation(tx, { instanceId: tx.instanceId, now: tx.now }, { impersonationId });
  if (impersonationId !== undefined && impersonation === undefined) return refused("the impersonation has ended");
  if (!(await isLetIn(tx, context, { client, userId, isAsUser: impersonation !== undefined }, issuance))) {
    return refused("the client no longer has the user's consent");
  }
  const granted = impersonation === undefined ? issuance : withoutOfflineAccess(issuance);
  const { resources } = request;
  const decided = await issuanceOfCode(tx, context, { issuance: granted, client, familyId, resources });
  return {
    ...(impersonation === undefined ? decided : inImpersonation(tx, context.issuer, decided, impersonation)),
    giveBack: (unit) => giveBackCode(unit, request.code, familyId),
  };
}

// The consent of a user lets in the user alone, and no administrator who signs in as the user.
async function isLetIn(
  tx: Tx,
  context: GrantContext,
  { isAsUser, ...of }: { readonly client: Client; readonly userId: string; readonly isAsUser: boolean },
  issuance: CodeIssuance,
): Promise<boolean> {
  const own = inContext(tx, context);
  return isAsUser ? !(await needsConsent(own, of, issuance)) : isStillConsented(tx, own, of, issuance);
}

// RFC 9700 §2.1.1: a verifier is required if and only if a challenge was sent, so that PKCE cannot be stripped from a
// request.
function checkCodeVerifier(
  codeChallenge: string | undefined,
  codeVerifier: string | undefined,
  client: AuthenticatedClient,
): OAuthError | undefined {
  if (codeChallenge === undefined) {
    const isNeeded = client.authMethod === "none" || client.isPkceRequired;
    if (codeVerifier === undefined && !isNeeded) return undefined;
    return new OAuthError("invalid_grant", "the authorization request contained no code_challenge");
  }
  // RFC 7636 §4.6: what cannot be verified is an invalid grant, even when the verifier is missing.
  if (codeVerifier === undefined) return new OAuthError("invalid_grant", "parameter code_verifier is missing");
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(codeVerifier)) {
    return new OAuthError("invalid_request", "code_verifier must be 43 to 128 unreserved characters");
  }
  const isMatch = equalInConstantTime(hash("sha256", codeVerifier, "base64url"), codeChallenge);
  return isMatch ? undefined : new OAuthError("invalid_grant", "code_verifier does not match the code_challenge");
}

const refused = (reason: string): Refusal => ({ error: new OAuthError("invalid_grant", reason) });
