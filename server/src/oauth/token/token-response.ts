import { audienceOfScope, iam, idTokenLifetime, namesOf, parseScope, withoutAlias } from "../../authority/index.ts";
import type { Instant } from "../../base/clock.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { ClaimFunctionName } from "../../domain/action/index.ts";
import type { Client } from "../../domain/application/index.ts";
import type { IssuedTokens } from "../../domain/token/index.ts";
import { accessTokenClaims } from "../claims/access-token-claims.ts";
import { describeKnownUser, describeUser } from "../claims/describe-user.ts";
import { extendClaims, mayBeExtended } from "../claims/extend-claims.ts";
import { idTokenClaims } from "../claims/id-token-claims.ts";
import { listsForAudience } from "../claims/list-claims.ts";
import { readersOf } from "../claims/readers.ts";
import { prepareAlgorithm, signToken } from "../own-tokens.ts";
import type { GrantContext } from "./grant.ts";

/** The recipient of the tokens, on which claims and algorithms depend. */
export interface Recipient {
  /** The application; absent for a service account. */
  readonly client: Client | undefined;
  readonly withIdToken: boolean;
  /** Latest expiry of everything issued; absent for no limit. */
  readonly notAfter?: Instant;
  /** `issued_token_type` (RFC 8693 §2.2.1), where the response contains it. */
  readonly issuedTokenType?: string;
}

/**
 * Access tokens are read by modern resource servers, which support the fast algorithm. ID tokens default to what every
 * client supports.
 */
const accessTokenAlgorithm = "ES256";

/** Builds the response of the token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). Signs after the commit. */
export async function tokenResponse(
  context: GrantContext,
  issued: IssuedTokens,
  recipient: Recipient,
): Promise<object> {
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
async function idTokenAlone(context: GrantContext, issued: IssuedTokens, recipient: Recipient): Promise<object> {
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
export async function idTokenResponse(context: GrantContext, issued: IssuedTokens, client: Client): Promise<object> {
  return {
    id_token: await signIdToken(context, issued, { client, withIdToken: true }, undefined),
    token_type: "Bearer",
    expires_in: Math.floor((issued.expiresAt - issued.issuedAt) / 1000),
    scope: issued.scope,
  };
}

async function signAccessToken(context: GrantContext, issued: IssuedTokens, { client }: Recipient): Promise<string> {
  const { deps, call, issuer } = context;
  // Tokens of service accounts always contain the requested roles.
  const withRoles = client === undefined || client.isAccessTokenRoleAssertionOn;
  const extra = await describe(context, issued, client, {
    function: "preaccesstoken",
    withUserClaims: false,
    withRoles,
    audience: issued.audience,
  });
  await prepareAlgorithm(deps, call, accessTokenAlgorithm);
  return signToken(deps, call.instanceId, accessTokenAlgorithm, {
    type: "at+jwt",
    claims: accessTokenClaims(issuer, issued, extra),
  });
}

async function signIdToken(
  context: GrantContext,
  issued: IssuedTokens,
  { client, notAfter }: Recipient,
  accessToken: string | undefined,
): Promise<string> {
  const { deps, call, issuer, lifetimes } = context;
  const audience = audienceOfIdToken(context, issued, client);
  const extra = await describe(context, issued, client, {
    function: "preuserinfo",
    // Without an access token the claims cannot be read elsewhere.
    withUserClaims: client?.isIdTokenUserinfoAssertionOn === true || accessToken === undefined,
    claimNames: issued.family.claims?.idToken,
    withRoles: client === undefined || client.isIdTokenRoleAssertionOn,
    audience,
  });
  const algorithm = client?.idTokenAlgorithm ?? "RS256";
  await prepareAlgorithm(deps, call, algorithm);
  const claims = idTokenClaims({
    issuer,
    issued,
    audience,
    lifetime: idTokenLifetime(lifetimes, { issuedAt: issued.issuedAt, ...(notAfter !== undefined && { notAfter }) }),
    accessToken,
    algorithm,
    extra,
  });
  return signToken(deps, call.instanceId, algorithm, { type: "JWT", claims });
}

// An ID token is for the client alone (OpenID Connect Core §2), never for resources (RFC 8707 §2) or our own APIs. An
// application can be configured to name its project and requested projects as well.
function audienceOfIdToken(
  { systemProjectId }: GrantContext,
  { audience, family }: IssuedTokens,
  client: Client | undefined,
): string[] {
  if (client !== undefined && !client.isIdTokenAudienceWide) return [family.clientId];
  return namesOf(audience, family.clientId).filter((name) => client === undefined || name !== systemProjectId);
}

async function describe(
  { deps, call, systemProjectId }: GrantContext,
  issued: IssuedTokens,
  client: Client | undefined,
  wanted: {
    readonly function: ClaimFunctionName;
    readonly withUserClaims: boolean;
    readonly withRoles: boolean;
    /** Audience of the token that is described. */
    readonly audience: readonly string[];
    readonly claimNames?: readonly string[] | undefined;
  },
): Promise<Readonly<Record<string, unknown>>> {
  const { userId } = issued.family;
  if (userId === undefined) return {};
  const scope = withoutAlias(parseScope(issued.scope), deps.namespaceAliases);
  // When no claims are requested that need it, the user is not read: its existence was checked with the tokens.
  const lists = listsForAudience(client, wanted.audience, systemProjectId);
  const isAsked =
    lists !== undefined ||
    wanted.withUserClaims ||
    wanted.withRoles ||
    (wanted.claimNames ?? []).length > 0 ||
    scope.values().some((token) => token.startsWith(iam));
  const may = mayBeExtended(deps, call, wanted.function);
  const isExtended = may instanceof Promise ? await may : may;
  if (!isAsked && !isExtended) return {};
  const { areOfProject, haveForeignResource, organizationIds } = await readersOf(deps, call.instanceId, {
    client,
    audience: wanted.audience,
  });
  const request = {
    instanceId: call.instanceId,
    userId,
    scope: issued.scope,
    withUserClaims: wanted.withUserClaims,
    claimNames: wanted.claimNames,
    organizationIds,
    roles:
      wanted.withRoles && !haveForeignResource
        ? {
            ownProjectId: client?.projectId,
            hasShortName: areOfProject,
            isAssertionOn: client?.isProjectRoleAssertionOn === true,
            audienceProjectIds: audienceOfScope(scope, systemProjectId).filter((id) => issued.audience.includes(id)),
          }
        : undefined,
    lists,
  };
  if (!isExtended) {
    const claims = await describeKnownUser(deps, request);
    if (claims !== undefined) return claims;
  }
  const description = await describeUser(deps, request);
  if (description === undefined) throw new OAuthError("invalid_grant", "the user no longer exists");
  if (!isExtended) return description.claims;
  const { clientId, actor } = issued.family;
  const readers = client === undefined ? { ofAccount: wanted.audience } : { organizationIds };
  return extendClaims(deps, call, wanted.function, { ...description, clientId, actor, readers });
}
