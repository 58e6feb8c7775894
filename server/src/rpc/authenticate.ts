import { authorityOfToken } from "../authority/index.ts";
import { Fault } from "../base/fault.ts";
import { OAuthError } from "../base/oauth-error.ts";
import { equalInConstantTime, hashSecret, type Secret } from "../base/secret.ts";
import { type Access, type Call, type Caller, requireCaller, tokenKindOf } from "../call/index.ts";
import type { Database } from "../database/index.ts";
import type { ClientDirectory } from "../domain/application/index.ts";
import { authenticateSession, type ContextLevel, levelOfToken, loadCallerAccess } from "../domain/session/index.ts";
import type { SettingsReader } from "../domain/settings/index.ts";
import { operatorCall } from "../domain/setup/index.ts";
import { type ActiveToken, findActiveAccessToken } from "../domain/token/index.ts";
import { findPersonalAccessToken } from "../domain/user/index.ts";
import { type DpopVerifier, isHolder, type ProvenKey } from "../oauth/index.ts";
import { limitAccess } from "./authority/limit.ts";
import type { PresentedToken, ProofOfKey } from "./presented-token.ts";
import type { AuthenticateSystemUser } from "./system-user.ts";

export interface AuthenticateDeps {
  readonly authenticateSystemUser: AuthenticateSystemUser;
  readonly database: Database;
  readonly clients: ClientDirectory;
  readonly settings: SettingsReader;
  /** Returns the id of the instance's built-in project: the audience of our own APIs. */
  readonly systemProjectIdOf: (instanceId: string) => Promise<string>;
  /** Words besides `service` that clients may use in scopes. */
  readonly namespaceAliases: readonly string[];
  /** Returns the `jti` of an unexpired JWT access token of ours; undefined for any other text. */
  readonly readJwtId: (instanceId: string, token: string, now: number) => Promise<string | undefined>;
  /** Returns the public origin of an instance, which proofs of possession must name. */
  readonly originOf: (instanceId: string) => Promise<string>;
  /** Verifies proofs of possession. */
  readonly dpop: DpopVerifier;
  /** Whether administrators act only by a strong and recent sign-in (strict profile). */
  readonly isStrict: boolean;
  /**
   * Token of the operator, where the process has one (`doorward dev`): its bearer has an instance owner's permissions.
   */
  readonly operatorToken?: Secret | undefined;
}

/**
 * Authenticates the bearer of a token for our own APIs: a personal access token, the newest token of a signed-in
 * session, an access token for our APIs (`authority`), or a token signed by a configured system user.
 * Reads the rows each time, so that revocation and deactivation take effect with the next request. Every failure is the
 * same 401.
 */
export function createAuthenticate(deps: AuthenticateDeps): (call: Call, presented: PresentedToken) => Promise<Caller> {
  return async (call, presented) => {
    const { token: bearerToken } = presented;
    if (presented.proof !== undefined) return authenticateWithKey(deps, call, bearerToken, presented.proof);
    if (isOperator(deps, bearerToken)) return requireCaller(operatorCall(call.instanceId, call.now));
    const identity = await identify(deps, call, bearerToken);
    if (identity === undefined) {
      const systemUser = await deps.authenticateSystemUser(bearerToken, call.now);
      if (systemUser === undefined) throw new Fault("unauthenticated", "authentication.invalid_token");
      return systemUser;
    }
    return toCaller(deps, call, identity);
  };
}

// Only access tokens are bound to keys. Any other secret is refused together with a proof, so that it is not mistaken
// for a bound one.
async function authenticateWithKey(
  deps: AuthenticateDeps,
  call: Call,
  token: string,
  { proof, method, path }: ProofOfKey,
): Promise<Caller> {
  const url = (await deps.originOf(call.instanceId)) + path;
  const checked = await deps.dpop.check(call, { proof, method, url, accessToken: token }).catch(refuseProof);
  const identity = await identifyByAccessToken(deps, call, token, checked);
  if (identity === undefined) throw new Fault("unauthenticated", "authentication.invalid_token");
  await checked.spend().catch(refuseProof);
  return toCaller(deps, call, identity);
}

// An application that is not trusted has only those of the user's permissions that its rights cover.
async function toCaller(deps: AuthenticateDeps, call: Call, { level, ...identity }: Identity): Promise<Caller> {
  const { rights } = identity;
  const limit = rights && ((access: Access) => limitAccess(access, rights));
  return { ...identity, ...(await loadCallerAccess(deps, call, { identity, level, limit })) };
}

function refuseProof(error: unknown): never {
  if (!(error instanceof OAuthError)) throw error;
  const needsNonce = error.code === "use_dpop_nonce";
  const slug = needsNonce ? "authentication.dpop_nonce_needed" : "authentication.dpop_proof_invalid";
  throw new Fault("unauthenticated", slug, { cause: error });
}

// A process without an operator's token has no such caller.
function isOperator({ operatorToken }: AuthenticateDeps, token: string): boolean {
  if (operatorToken === undefined || tokenKindOf(token) !== "operatorToken") return false;
  return equalInConstantTime(operatorToken.reveal(), token);
}

type Identity = Omit<Caller, "access" | "withheld"> & {
  /** What the sign-in behind the token amounts to; absent for service accounts. */
  readonly level?: ContextLevel | undefined;
};

async function identify(deps: AuthenticateDeps, call: Call, token: string): Promise<Identity | undefined> {
  switch (tokenKindOf(token)) {
    case "personalAccessToken":
      return identifyByPersonalAccessToken(deps, call, token);
    case "accessToken":
    case undefined:
      return identifyByAccessToken(deps, call, token, undefined);
    case "sessionToken":
      return identifyBySession(deps, call, token);
    default:
      return undefined;
  }
}

// A session whose checks are not enough for its user, as the settings hold for administrators, is not signed in.
async function identifyBySession(deps: AuthenticateDeps, call: Call, token: string): Promise<Identity | undefined> {
  const bearer = await authenticateSession(deps, call, hashSecret(token));
  return bearer && { ...bearer, level: 2 };
}

async function identifyByAccessToken(
  deps: AuthenticateDeps,
  call: Call,
  token: string,
  proven: ProvenKey | undefined,
): Promise<Identity | undefined> {
  const key = await readTokenKey(deps, call, token);
  if (key === undefined) return undefined;
  const found = await findActiveAccessToken(deps.database.read, call.instanceId, key, call.now);
  if (found === undefined) return undefined;
  const { applicationId, clientId } = found.family;
  const client = applicationId === undefined ? undefined : await deps.clients.find(call.instanceId, clientId);
  // Deactivating an application, its project or its organization stops what was issued to it, here as in introspection.
  if (applicationId !== undefined && client?.isActive !== true) return undefined;
  // RFC 9449 §7.2: a bound token is invalid without its key.
  return isHolder(found, proven, client) ? toIdentity(deps, call, found) : undefined;
}

async function readTokenKey(
  deps: AuthenticateDeps,
  call: Call,
  token: string,
): Promise<{ readonly tokenId: string; readonly format: "opaque" | "jwt" } | undefined> {
  switch (tokenKindOf(token)) {
    case "accessToken":
      return { tokenId: hashSecret(token), format: "opaque" };
    case undefined: {
      const tokenId = await deps.readJwtId(call.instanceId, token, call.now);
      return tokenId === undefined ? undefined : { tokenId, format: "jwt" };
    }
    default:
      return undefined;
  }
}

async function identifyByPersonalAccessToken(
  { database }: AuthenticateDeps,
  call: Call,
  token: string,
): Promise<Identity | undefined> {
  const found = await findPersonalAccessToken(database.read, call.instanceId, hashSecret(token));
  if (found === undefined || found.expiresAt <= call.now) return undefined;
  if (found.userState !== "active" || found.organizationState !== "active") return undefined;
  return { userId: found.userId, organizationId: found.organizationId };
}

async function toIdentity(deps: AuthenticateDeps, call: Call, token: ActiveToken): Promise<Identity | undefined> {
  if (token.family.userId === undefined || token.organizationId === undefined) return undefined;
  const authority = await authorityOfToken(deps, call.instanceId, token);
  if (authority === undefined) throw new Fault("unauthenticated", "authentication.wrong_audience");
  // An actor who impersonates a user may not administrate as that user.
  if (token.family.actor !== undefined) throw new Fault("permission_denied", "authentication.delegated_token");
  return {
    userId: token.family.userId,
    organizationId: token.organizationId,
    clientId: token.family.clientId,
    level: levelOfToken(token.family),
    ...(authority !== "all" && { rights: authority }),
    ...(token.family.sessionId !== undefined && { sessionId: token.family.sessionId }),
  };
}
