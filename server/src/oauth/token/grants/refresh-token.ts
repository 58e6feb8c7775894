import {
  isRefreshConsented,
  narrowScope,
  parseScope,
  type RefreshOfFamily,
  refreshedTarget,
  requireGranted,
  resourcesOf,
  withoutAlias,
} from "../../../authority/index.ts";
import { OAuthError } from "../../../base/oauth-error.ts";
import { hashSecret, Secret } from "../../../base/secret.ts";
import type { Tx } from "../../../database/index.ts";
import {
  consumeRefreshToken,
  findRefreshToken,
  giveBackAnswer,
  giveBackRefreshToken,
  isStillFounded,
  keepSuccessor,
  repeatAnswer,
  type TokenFamily,
  useRefreshToken,
} from "../../../domain/token/index.ts";
import type { AuthenticatedClient } from "../../client-authentication/authenticate-client.ts";
import { type Parameters, required } from "../../parameters.ts";
import { readResources } from "../../read-resources.ts";
import { type Grant, type GrantContext, type Issuance, inContext, type Refusal, type Repetition } from "../grant.ts";

interface RefreshRequest {
  readonly refreshToken: string;
  readonly scope: ReadonlySet<string> | undefined;
  readonly resources: readonly string[];
}

/**
 * Grant `refresh_token` (RFC 6749 §6). The token rotates: each use consumes it and issues the next one. Presenting a
 * consumed token revokes the family, because it may have been stolen (RFC 9700 §4.14.2). The earlier access token stays
 * valid until its expiry. A client whose refresh tokens are bound to it may be configured to keep them (FAPI 2.0
 * Security Profile §5.3.2.1).
 */
export const refreshToken: Grant = {
  grantType: "refresh_token",
  authentication: "client",
  prepare: async (context, parameters, client) => {
    const request = parse(parameters);
    return { decide: (tx) => decide(tx, context, request, client) };
  },
};

function parse(parameters: Parameters): RefreshRequest {
  const scope = parameters.get("scope");
  return {
    refreshToken: required(parameters, "refresh_token"),
    scope: scope === undefined ? undefined : parseScope(scope),
    resources: readResources(parameters),
  };
}

async function decide(
  tx: Tx,
  context: GrantContext,
  request: RefreshRequest,
  client: AuthenticatedClient,
): Promise<Issuance | Repetition | Refusal> {
  const tokenHash = hashSecret(request.refreshToken);
  const { family, sequence, isKept, isNewlyBound } = await takeToken(tx, context, tokenHash, client);
  if (family === undefined) return repeatOrRefuse(tx, context, tokenHash, client);
  if (family.keyThumbprint !== undefined && family.keyThumbprint !== context.dpopThumbprint) {
    return { error: new OAuthError("invalid_grant", "the refresh token is bound to another key") };
  }
  if (!(await isStillFounded(tx, tx.instanceId, family))) {
    return { error: new OAuthError("invalid_grant", "what the token was exchanged for has ended") };
  }
  if (!(await isRefreshConsented(tx, inContext(tx, context), { client, family }))) {
    return noConsent();
  }
  const narrowed = narrowScope(family.scope, request.scope, context.deps.namespaceAliases);
  if (narrowed === undefined) {
    return { error: new OAuthError("invalid_scope", "the scope goes beyond what was granted, or is empty") };
  }
  const granted = resourcesOf(family.audience, client.clientId);
  requireGranted(request.resources, granted);
  const issuance = await toIssuance(tx, context, {
    client,
    family,
    sequence,
    scope: narrowed,
    granted,
    named: request.resources,
  });
  if ("error" in issuance) return issuance;
  if (isKept) return { ...issuance, withRefreshToken: false, keptRefreshToken: new Secret(request.refreshToken) };
  const hasSuccessor = client.refreshGrace > 0;
  return {
    ...issuance,
    ...(hasSuccessor && { onIssued: (issued) => keepSuccessor(tx, context.deps, tokenHash, issued) }),
    // With the key of this request it may be a thief's from now on, which presenting it again has to show.
    ...(!isNewlyBound && {
      giveBack: (later, issued) => giveBackRefreshToken(later, { tokenHash, hasSuccessor }, issued),
    }),
  };
}

interface TakenToken {
  readonly family: TokenFamily | undefined;
  /** The next sequence of the family, where it was taken already. */
  readonly sequence: number | undefined;
  /** Whether the token stays valid. */
  readonly isKept: boolean;
  /** Whether the family had no key before. */
  readonly isNewlyBound: boolean;
}

async function takeToken(
  tx: Tx,
  { lifetimes, dpopThumbprint }: GrantContext,
  tokenHash: string,
  client: AuthenticatedClient,
): Promise<TakenToken> {
  const key = { tokenHash, clientId: client.clientId };
  if (client.isRotationOff) {
    const family = await useRefreshToken(tx, key, lifetimes.refreshTokenIdleLifetimeSeconds * 1000);
    // A token of a public client from before its tokens were bound to a key is replaced by one that is.
    const isBound = client.kind === "confidential" || family?.keyThumbprint !== undefined;
    if (family === undefined || isBound) return { family, sequence: undefined, isKept: true, isNewlyBound: false };
  }
  const spent = await consumeRefreshToken(tx, key, client.kind === "public" ? dpopThumbprint : undefined);
  const { family, sequence, isNewlyBound = false } = spent ?? {};
  return { family, sequence, isKept: false, isNewlyBound };
}

async function toIssuance(
  tx: Tx,
  context: GrantContext,
  refresh: RefreshOfFamily & Pick<TakenToken, "sequence"> & { readonly client: AuthenticatedClient },
): Promise<Issuance | Refusal> {
  const { family, sequence } = refresh;
  const token = await refreshedTarget(inContext(tx, context), refresh);
  if (token.scope === "") return { error: new OAuthError("invalid_scope", "none of the scope is still granted") };
  return {
    family: { kind: "existing", family, sequence },
    ...token,
    withRefreshToken: true,
    withIdToken: hasOpenId(token.scope, context.deps.namespaceAliases),
  };
}

/** Repeats a lost response, for clients that are configured for it. Refuses any other token as reused or unknown. */
async function repeatOrRefuse(
  tx: Tx,
  context: GrantContext,
  tokenHash: string,
  client: AuthenticatedClient,
): Promise<Repetition | Refusal> {
  const { deps, dpopThumbprint } = context;
  if (client.refreshGrace > 0) {
    const token = { tokenHash, clientId: client.clientId, grace: client.refreshGrace };
    const repeated = await repeatAnswer(tx, deps, token);
    if (repeated !== undefined && repeated.keyThumbprint !== dpopThumbprint) {
      return { error: new OAuthError("invalid_grant", "the refresh token is bound to another key") };
    }
    if (repeated !== undefined) {
      if (!(await isRefreshConsented(tx, inContext(tx, context), { client, family: repeated.family })))
        return noConsent();
      const withIdToken = hasOpenId(repeated.scope, deps.namespaceAliases);
      return { repeated, withIdToken, giveBack: (later) => giveBackAnswer(later, deps, tokenHash, repeated) };
    }
  }
  return refuse(tx, tokenHash, client);
}

const noConsent = (): Refusal => ({
  error: new OAuthError("invalid_grant", "the client no longer has the user's consent"),
});

const hasOpenId = (scope: string, aliases: readonly string[]): boolean =>
  withoutAlias(parseScope(scope), aliases).has("openid");

async function refuse(tx: Tx, tokenHash: string, client: AuthenticatedClient): Promise<Refusal> {
  const error = new OAuthError(
    "invalid_grant",
    "the refresh token is invalid, expired, used or was issued to another client",
  );
  const state = await findRefreshToken(tx, tx.instanceId, tokenHash);
  const isReuse = state !== undefined && state.clientId === client.clientId && state.consumedAt !== null;
  return isReuse ? { error, revoke: { familyId: state.familyId, reason: "refresh_token_reused" } } : { error };
}
