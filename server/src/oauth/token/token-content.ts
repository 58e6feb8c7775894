import { audienceOfScope, iam, idTokenLifetime, namesOf, parseScope, withoutAlias } from "../../authority/index.ts";
import type { Instant } from "../../base/clock.ts";
import type { SigningAlgorithm } from "../../base/jose/index.ts";
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
import type { GrantContext } from "./grant.ts";

/** Whom the tokens are for, as far as their content depends on it. */
export interface Reader {
  /** The application; absent for a service account. */
  readonly client: Client | undefined;
  /** Latest expiry of everything issued; absent for no limit. */
  readonly notAfter?: Instant;
}

/** What is signed. */
export interface TokenContent {
  readonly algorithm: SigningAlgorithm;
  readonly claims: Record<string, unknown>;
}

/**
 * Access tokens are read by modern resource servers, which support the fast algorithm. ID tokens default to what every
 * client supports.
 */
const accessTokenAlgorithm = "ES256";

/** Returns what a JWT access token says (RFC 9068). */
export async function accessTokenContent(
  context: GrantContext,
  issued: IssuedTokens,
  client: Client | undefined,
): Promise<TokenContent> {
  // Tokens of service accounts always contain the requested roles.
  const withRoles = client === undefined || client.isAccessTokenRoleAssertionOn;
  const extra = await describe(context, issued, client, {
    function: "preaccesstoken",
    withUserClaims: false,
    withRoles,
    audience: issued.audience,
  });
  return { algorithm: accessTokenAlgorithm, claims: accessTokenClaims(context.issuer, issued, extra) };
}

/** Returns what an ID token says, beside the access token with which it is issued, if there is one. */
export async function idTokenContent(
  context: GrantContext,
  issued: IssuedTokens,
  { client, notAfter }: Reader,
  accessToken: string | undefined,
): Promise<TokenContent> {
  const { issuer, lifetimes } = context;
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
  const claims = idTokenClaims({
    issuer,
    issued,
    audience,
    lifetime: idTokenLifetime(lifetimes, { issuedAt: issued.issuedAt, ...(notAfter !== undefined && { notAfter }) }),
    accessToken,
    algorithm,
    extra,
  });
  return { algorithm, claims };
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
