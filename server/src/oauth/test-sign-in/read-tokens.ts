import { parseScope, withoutAlias } from "../../authority/index.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Client } from "../../domain/application/index.ts";
import { signedUserinfoClaims, userinfoClaims } from "../claims/userinfo-claims.ts";
import type { GrantContext } from "../token/grant.ts";
import { accessTokenContent, idTokenContent } from "../token/token-content.ts";
import { type ClaimNote, type ClaimsOf, explainClaims } from "./explain-claims.ts";
import type { ImaginedTokens } from "./imagine-tokens.ts";

/** What a token would say. */
export interface TestedClaims {
  readonly isJwt: boolean;
  /** Empty where nothing would be signed. */
  readonly algorithm: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly notes: readonly ClaimNote[];
}

/** What an application would get. */
export interface TestedTokens {
  readonly userId: string;
  /** Granted scopes, as the application spells them. */
  readonly scopes: readonly string[];
  readonly idToken: TestedClaims | undefined;
  readonly accessToken: TestedClaims | undefined;
  readonly userinfo: TestedClaims | undefined;
  readonly withRefreshToken: boolean;
  /** Milliseconds. */
  readonly lifetime: number;
}

/** Returns what tokens that are not issued would say, and why. */
export async function readTokens(
  context: GrantContext,
  client: Client,
  { issued, withIdToken, withRefreshToken }: ImaginedTokens,
): Promise<TestedTokens> {
  const { deps, call, issuer } = context;
  const { family, scope, audience, format } = issued;
  const words = withoutAlias(parseScope(scope), deps.namespaceAliases);
  const explain = (kind: ClaimsOf, claims: Readonly<Record<string, unknown>>) =>
    explainClaims({ kind, claims, scope: words, client, aliases: deps.namespaceAliases });
  const hasAccessToken = format !== "none";
  // Stands for an access token that does not exist, in the hash that binds the ID token to it.
  const beside = hasAccessToken ? deps.random(32).toString("base64url") : undefined;
  const idToken = withIdToken ? await idTokenContent(context, issued, { client }, beside) : undefined;
  const accessToken = format === "jwt" ? await accessTokenContent(context, issued, client) : undefined;
  const told = hasAccessToken
    ? await userinfoClaims(deps, call, client, { family, scope, audience, readBy: audience })
    : undefined;
  if (hasAccessToken && told === undefined) throw new OAuthError("invalid_token", "the user no longer exists");
  const algorithm = client.userinfoAlgorithm;
  const userinfo = told && (algorithm === "" ? told : signedUserinfoClaims(told, { issuer, client }));
  const ofIdToken = idToken && (hasAccessToken ? "id_token" : "only_token");
  return {
    userId: family.userId ?? "",
    scopes: [...parseScope(scope)],
    idToken: idToken && ofIdToken && { isJwt: true, ...idToken, notes: explain(ofIdToken, idToken.claims) },
    accessToken: accessToken
      ? { isJwt: true, ...accessToken, notes: explain("access_token", accessToken.claims) }
      : hasAccessToken
        ? { isJwt: false, algorithm: "", claims: {}, notes: [] }
        : undefined,
    userinfo: userinfo && {
      isJwt: algorithm !== "",
      algorithm,
      claims: userinfo,
      notes: explain("userinfo", userinfo),
    },
    withRefreshToken,
    lifetime: issued.expiresAt - issued.issuedAt,
  };
}
