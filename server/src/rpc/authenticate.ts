import { Fault } from "../base/fault.ts";
import { OAuthError, type OAuthErrorCode } from "../base/oauth-error.ts";
import { equalInConstantTime, hashSecret, type Secret } from "../base/secret.ts";
import {
  type BearerDeps,
  callerOfToken,
  findPresentedToken,
  type IdentifiedBearer,
  type PresentedToken,
  type VerifiedToken,
} from "../bearer/index.ts";
import { type Access, type Call, type Caller, type Presented, requireCaller, tokenKindOf } from "../call/index.ts";
import type { Database } from "../database/index.ts";
import { authenticateSession, loadCallerAccess } from "../domain/session/index.ts";
import type { SettingsReader } from "../domain/settings/index.ts";
import { operatorCall } from "../domain/setup/index.ts";
import { limitAccess } from "./authority/limit.ts";
import type { AuthenticateSystemUser } from "./system-user.ts";

export interface AuthenticateDeps extends BearerDeps {
  readonly authenticateSystemUser: AuthenticateSystemUser;
  readonly database: Database;
  readonly settings: SettingsReader;
  /** Whether administrators act only by a strong and recent sign-in (strict profile). */
  readonly isStrict: boolean;
  /**
   * Token of the operator, where the process has one (`doorward dev`): its bearer has an instance owner's permissions.
   */
  readonly operatorToken?: Secret | undefined;
}

type AuthenticatePresented = (call: Call, presented: PresentedToken) => Promise<Presented<Caller>>;

/**
 * Authenticates the bearer of a token for our own APIs: an access token (`bearer`), the newest token of a signed-in
 * session, or a token signed by a configured system user. Only access tokens are bound to keys: any other secret is
 * refused together with a proof, so that it is not mistaken for a bound one. Every failure is the same 401.
 */
export function createAuthenticate(deps: AuthenticateDeps): AuthenticatePresented {
  return async (call, presented) => {
    const { token, proof } = presented;
    if (proof === undefined && isOperator(deps, token)) return requireCaller(operatorCall(call.instanceId, call.now));
    const identified = await identify(deps, call, presented);
    if (identified !== undefined) return toCaller(deps, call, identified);
    const systemUser = proof === undefined ? await deps.authenticateSystemUser(token, call.now) : undefined;
    if (systemUser === undefined) throw new Fault("unauthenticated", "authentication.invalid_token");
    return systemUser;
  };
}

async function identify(
  deps: AuthenticateDeps,
  call: Call,
  presented: PresentedToken,
): Promise<IdentifiedBearer | undefined> {
  if (presented.proof === undefined && tokenKindOf(presented.token) === "sessionToken") {
    return identifyBySession(deps, call, presented.token);
  }
  const token = await findPresentedToken(deps, call, presented).catch(refuseProof);
  return token && identifyByAccessToken(token);
}

// A session whose checks are not enough for its user, as the settings hold for administrators, is not signed in.
async function identifyBySession(
  deps: AuthenticateDeps,
  call: Call,
  token: string,
): Promise<IdentifiedBearer | undefined> {
  const identity = await authenticateSession(deps, call, { tokenHash: hashSecret(token) });
  return identity && { identity, level: 2 };
}

function identifyByAccessToken(token: VerifiedToken): IdentifiedBearer | undefined {
  const caller = callerOfToken(token);
  switch (caller) {
    case "no_user":
      return undefined;
    case "other_audience":
      throw new Fault("unauthenticated", "authentication.wrong_audience");
    case "delegated":
      throw new Fault("permission_denied", "authentication.delegated_token");
    default:
      return caller;
  }
}

// An application that is not trusted has only those of the user's permissions that its rights cover.
async function toCaller(
  deps: AuthenticateDeps,
  call: Call,
  { identity, level }: IdentifiedBearer,
): Promise<Presented<Caller>> {
  const { rights } = identity;
  const limit = rights && ((access: Access) => limitAccess(access, rights));
  call.note?.(identity);
  return { ...identity, ...(await loadCallerAccess(deps, call, { identity, level, limit })) };
}

function refuseProof(error: unknown): never {
  const slug = error instanceof OAuthError ? proofFaults[error.code] : undefined;
  throw slug === undefined ? error : new Fault("unauthenticated", slug, { cause: error });
}

const proofFaults: Readonly<Partial<Record<OAuthErrorCode, string>>> = {
  use_dpop_nonce: "authentication.dpop_nonce_needed",
  invalid_dpop_proof: "authentication.dpop_proof_invalid",
};

// A process without an operator's token has no such caller.
function isOperator({ operatorToken }: AuthenticateDeps, token: string): boolean {
  if (operatorToken === undefined || tokenKindOf(token) !== "operatorToken") return false;
  return equalInConstantTime(operatorToken.reveal(), token);
}
