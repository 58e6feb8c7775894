import { isStillConsented, orderTokens } from "../../authority/index.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Tx } from "../../database/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { isSessionLive } from "../../domain/session/index.ts";
import type { TestGrant } from "../../domain/test-sign-in/index.ts";
import type { IssuedTokens } from "../../domain/token/index.ts";
import { type GrantContext, inContext } from "../token/grant.ts";
import { issuanceOfCode } from "../token/issuance-of-code.ts";
import { mayUseClient } from "../token/may-use-client.ts";

/** Tokens that are not issued, and what would come with them. */
export interface ImaginedTokens {
  readonly issued: IssuedTokens;
  readonly withIdToken: boolean;
  readonly withRefreshToken: boolean;
}

/** Step: decides like the token endpoint about a code, with the same refusals. Writes nothing. */
export async function imagineTokens(
  tx: Tx,
  context: GrantContext,
  client: Client,
  { issuance, responseType }: TestGrant,
): Promise<ImaginedTokens> {
  const { userId, sessionId } = issuance;
  const { deps, lifetimes } = context;
  if (!(await isSessionLive(tx, tx.instanceId, sessionId))) throw refused("the session has ended");
  if (!(await isStillConsented(tx, inContext(tx, context), { client, userId }, issuance))) {
    throw refused("the client no longer has the user's consent");
  }
  if (!(await mayUseClient(tx, tx.instanceId, client, userId)))
    throw refused("the user may no longer use this application");
  const familyId = deps.newId();
  const decided = await issuanceOfCode(tx, context, { issuance, client, familyId, resources: [] });
  const isIdTokenAlone = responseType === "id_token";
  const format = isIdTokenAlone ? "none" : decided.format;
  const order = orderTokens({ ...decided, format }, { lifetimes, now: tx.now, client, dpopThumbprint: undefined });
  const { scope, audience, accessTokenLifetime } = order;
  const issued = {
    family: { ...decided.family.family, familyId, createdAt: tx.now, keyThumbprint: undefined },
    format,
    tokenId: deps.random(18).toString("base64url"),
    accessToken: undefined,
    refreshToken: undefined,
    scope,
    audience,
    keyThumbprint: undefined,
    issuedAt: tx.now,
    expiresAt: tx.now + accessTokenLifetime,
  };
  return {
    issued,
    withIdToken: responseType !== "code" || decided.withIdToken,
    withRefreshToken: responseType === "code" && decided.withRefreshToken,
  };
}

const refused = (reason: string): OAuthError => new OAuthError("invalid_grant", reason);
