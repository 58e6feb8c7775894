import { isStillLetIn, parseScope, withoutAlias } from "../../../../authority/index.ts";
import type { Instant } from "../../../../base/clock.ts";
import { OAuthError } from "../../../../base/oauth-error.ts";
import {
  findActiveAccessToken,
  findLiveFamily,
  listFamiliesAbove,
  type TokenFamily,
} from "../../../../domain/token/index.ts";
import type { AuthenticatedClient } from "../../../client-authentication/authenticate-client.ts";
import { type IdTokenReference, parseIdTokenReference } from "../../../id-token-reference.ts";
import { readIdTokenClaims } from "../../../own-tokens.ts";
import { type GrantContext, inContext } from "../../grant.ts";
import { hasShownItself, isKeyProven, sourcesOfFamily } from "./basis.ts";
import type { Party } from "./party.ts";

/**
 * Refuses clients that may not exchange id tokens at all. These are clients that users have to let in, because an id
 * token does not say what they were let in to. Clients that prove nothing of themselves may not either, because an id
 * token is not a secret; what they have to prove is the key of the token (`readIdToken`).
 */
export function requireMayExchangeIdTokens({ dpopThumbprint }: GrantContext, client: AuthenticatedClient): void {
  if (client.isConsentRequired) {
    throw new OAuthError("invalid_request", "a client that needs consent may not exchange id tokens");
  }
  if (client.kind === "public" && dpopThumbprint === undefined) {
    throw new OAuthError("invalid_request", "a public client exchanges id tokens only with a proof of possession");
  }
}

/**
 * Returns an unexpired id token of ours, of this client or of another one of its project whose access tokens are for
 * this client too. It permits what the access token that was issued with it permits, as long as that does, and to this
 * client alone; one that was issued alone permits what its family was granted. An id token that does not name its
 * origin, of an older version, permits nothing.
 */
export async function readIdToken(
  context: GrantContext,
  text: string,
  client: AuthenticatedClient,
): Promise<Party | undefined> {
  const { deps, call, issuer } = context;
  const claims = await readIdTokenClaims(deps, { instanceId: call.instanceId, issuer }, text, call.now);
  const reference = parseIdTokenReference(claims?.["jti"]);
  if (claims === undefined || reference === undefined) return undefined;
  const found = await findBasis(context, reference);
  if (found?.organizationId === undefined) return undefined;
  const { family, organizationId } = found;
  const { userId, clientId } = family;
  if (!(await isFounded(context, found))) return undefined;
  if (userId === undefined || userId !== claims.sub || clientId !== claims["azp"]) return undefined;
  if (!hasShownItself(client, keyOf(family, found) !== undefined)) {
    throw new OAuthError("invalid_request", "a public client exchanges id tokens only if they are bound to its key");
  }
  if (!isKeyProven(context, found, family) || !(await isOfProject(context, family, found, client))) return undefined;
  return {
    userId,
    organizationId,
    clientId,
    scope: withoutAlias(parseScope(found.scope), deps.namespaceAliases),
    audience: [client.clientId],
    isBound: keyOf(family, found) !== undefined,
    // An ID token only identifies its user, so it is refused as an actor token.
    carriesPermissions: false,
    sessionId: family.sessionId,
    authTime: family.authTime,
    authenticationMethods: family.authenticationMethods,
    acr: family.acr,
    nonce: family.nonce,
    actor: family.actor,
    mayAct: claims["may_act"],
    expiresAt: Math.min(claims.exp * 1000, found.expiresAt),
    credentialExpiresAt: family.credentialExpiresAt,
    sources: await sourcesOfFamily(context, family, reference.accessToken?.tokenId),
  };
}

/** What an id token stands for now: the access token that was issued with it, otherwise its family. */
interface Basis {
  readonly family: TokenFamily;
  readonly organizationId: string | undefined;
  readonly scope: string;
  readonly audience: readonly string[];
  readonly keyThumbprint: string | undefined;
  readonly expiresAt: Instant;
}

async function findBasis({ deps, call }: GrantContext, reference: IdTokenReference): Promise<Basis | undefined> {
  const { read } = deps.database;
  if (reference.accessToken !== undefined) {
    const token = await findActiveAccessToken(read, call.instanceId, reference.accessToken, call.now);
    return token?.family.familyId === reference.familyId ? token : undefined;
  }
  const live = await findLiveFamily(read, call.instanceId, reference.familyId, call.now);
  if (live === undefined) return undefined;
  const { scope, audience, keyThumbprint, expiresAt } = live.family;
  return { ...live, scope, audience, keyThumbprint, expiresAt };
}

// As for the access token, which is read by `verifyAccessToken`.
async function isFounded(context: GrantContext, { family, organizationId }: Basis): Promise<boolean> {
  const { deps, call } = context;
  const { familyId, exchangedFormat } = family;
  const above =
    exchangedFormat === undefined ? [] : await listFamiliesAbove(deps.database.read, call.instanceId, familyId);
  return isStillLetIn(inContext(deps.database.read, context), { family, above, organizationId });
}

// The project is the one that owns both clients, and a sibling exchanges no id token where it could not exchange the
// access token: clients whose tokens are for themselves alone do not know one another. Deactivating an application
// stops what was issued to it.
async function isOfProject(
  { deps, call }: GrantContext,
  family: TokenFamily,
  basis: Basis,
  client: AuthenticatedClient,
): Promise<boolean> {
  if (family.applicationId === undefined || family.projectId !== client.projectId) return false;
  const isMeant = [client.clientId, client.projectId].some((name) => basis.audience.includes(name));
  if (family.clientId !== client.clientId && !isMeant) return false;
  const issuedTo = await deps.clients.find(call.instanceId, family.clientId);
  if (issuedTo?.isActive !== true || issuedTo.isConsentRequired) return false;
  // What the authorization endpoint gives is bound to no key, so it proves nothing for a client that must prove one.
  return !issuedTo.isDpopRequired || keyOf(family, basis) !== undefined;
}

const keyOf = (family: TokenFamily, { keyThumbprint }: Basis): string | undefined =>
  keyThumbprint ?? family.keyThumbprint;
