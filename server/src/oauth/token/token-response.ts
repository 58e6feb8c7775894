import type { IssuedTokens } from "../../domain/token/index.ts";
import { prepareAlgorithm, signToken } from "../own-tokens.ts";
import { type DecidedAgain, decideAgain } from "./decide-again.ts";
import type { GrantContext } from "./grant.ts";
import { accessTokenContent, idTokenContent, type Reader, type TokenContent } from "./token-content.ts";

/** The recipient of the tokens, on which claims and algorithms depend. */
export interface Recipient extends Reader, Pick<DecidedAgain, "refusedAs"> {
  readonly withIdToken: boolean;
  /** `issued_token_type` (RFC 8693 §2.2.1), where the response contains it. */
  readonly issuedTokenType?: string;
}

type Signed = Recipient & DecidedAgain;

/** Builds the response of the token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). Signs after the commit. */
export async function tokenResponse(context: GrantContext, issued: IssuedTokens, asked: Recipient): Promise<object> {
  const recipient = { ...asked, decidedAt: performance.now() };
  const { issuedTokenType } = recipient;
  const ofExchange = issuedTokenType !== undefined && { issued_token_type: issuedTokenType };
  if (issued.format === "none") return { ...(await idTokenAlone(context, issued, recipient)), ...ofExchange };
  const accessToken = issued.accessToken?.reveal() ?? (await signAccessToken(context, issued, recipient));
  const idToken = recipient.withIdToken ? await signIdToken(context, issued, recipient, accessToken) : undefined;
  return {
    access_token: accessToken,
    ...ofExchange,
    token_type: issued.keyThumbprint === undefined ? "Bearer" : "DPoP",
    expires_in: Math.floor((issued.expiresAt - issued.issuedAt) / 1000),
    ...(issued.refreshToken && { refresh_token: issued.refreshToken.reveal() }),
    ...(idToken !== undefined && { id_token: idToken }),
    // RFC 6749 §3.3: a scope has at least one word.
    ...(issued.scope !== "" && { scope: issued.scope }),
  };
}

// RFC 8693 §2.2.1: any issued token is in `access_token`, and `N_A` says that it is not an access token.
async function idTokenAlone(context: GrantContext, issued: IssuedTokens, recipient: Signed): Promise<object> {
  return {
    access_token: await signIdToken(context, issued, recipient, undefined),
    token_type: "N_A",
    expires_in: Math.floor((issued.expiresAt - issued.issuedAt) / 1000),
    scope: issued.scope,
  };
}

/**
 * Builds an authorization response without access token (response type `id_token`). The claims of the scopes are in the
 * ID token, because there is no token for UserInfo (OpenID Connect Core §5.4). `expires_in` is its lifetime.
 */
export async function idTokenResponse(
  context: GrantContext,
  issued: IssuedTokens,
  recipient: Recipient,
): Promise<object> {
  return {
    id_token: await signIdToken(context, issued, { ...recipient, decidedAt: performance.now() }, undefined),
    token_type: "Bearer",
    expires_in: Math.floor((issued.expiresAt - issued.issuedAt) / 1000),
    scope: issued.scope,
  };
}

async function signAccessToken(context: GrantContext, issued: IssuedTokens, recipient: Signed): Promise<string> {
  const { algorithm, claims } = await accessTokenContent(context, issued, recipient.client);
  await decideAgain(context, issued, recipient);
  return sign(context, { algorithm, type: "at+jwt", claims });
}

async function signIdToken(
  context: GrantContext,
  issued: IssuedTokens,
  recipient: Signed,
  accessToken: string | undefined,
): Promise<string> {
  const { algorithm, claims } = await idTokenContent(context, issued, recipient, accessToken);
  await decideAgain(context, issued, recipient);
  return sign(context, { algorithm, type: "JWT", claims });
}

async function sign(
  { deps, call }: GrantContext,
  { algorithm, ...token }: { readonly type: "at+jwt" | "JWT" } & TokenContent,
): Promise<string> {
  await prepareAlgorithm(deps, call, algorithm);
  return signToken(deps, call.instanceId, algorithm, token);
}
