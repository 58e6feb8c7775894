import type { Instant } from "../../base/clock.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import { hashSecret, type Secret } from "../../base/secret.ts";
import { generateToken } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { insertAccessToken } from "./access-token.store.ts";
import { insertFamilySources } from "./family-source.store.ts";
import { insertRefreshToken } from "./refresh-token.store.ts";
import { advanceFamily, insertFamily } from "./token-family.store.ts";
import { type FamilySource, familyAggregate, type TokenFamily } from "./token-family.ts";

/** What is to be issued, as decided by a grant. */
export interface TokenOrder {
  /** `none` for a family without access tokens: only an id token was asked for. */
  readonly format: "opaque" | "jwt" | "none";
  readonly scope: string;
  readonly audience: readonly string[];
  readonly accessTokenLifetime: number;
  /** Milliseconds that the refresh token may be idle; absent for no refresh token. */
  readonly refreshTokenIdleLifetime: number | undefined;
  /** Key to which the tokens are bound; absent for bearer tokens. */
  readonly keyBinding?: KeyBinding | undefined;
}

/** A key whose possession the client proved (RFC 9449). */
interface KeyBinding {
  readonly thumbprint: string;
  /** Whether refreshing requires the same key: for clients that cannot authenticate otherwise. */
  readonly isForRefresh: boolean;
}

/** What was issued: the secrets appear here and nowhere else. */
export interface IssuedTokens {
  readonly family: TokenFamily;
  readonly format: "opaque" | "jwt" | "none";
  /** `jti` of a JWT; hash of an opaque token. */
  readonly tokenId: string;
  /** The opaque token; absent for a JWT, which is signed after the commit. */
  readonly accessToken: Secret | undefined;
  readonly refreshToken: Secret | undefined;
  readonly scope: string;
  readonly audience: readonly string[];
  readonly keyThumbprint: string | undefined;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
}

export interface IssueDeps {
  readonly newId: IdGenerator;
  readonly random: Random;
}

export type NewFamily = Omit<TokenFamily, "familyId" | "createdAt" | "keyThumbprint"> & {
  /** Chosen by a caller that needed it before; generated when absent. */
  readonly familyId?: string;
  /** What the family was exchanged from. */
  readonly sources?: readonly FamilySource[];
};

/** Step: starts a family with its first tokens. */
export function startFamily(tx: Tx, deps: IssueDeps, input: NewFamily, order: TokenOrder): IssuedTokens {
  const { sources = [], ...given } = input;
  const family: TokenFamily = {
    ...given,
    keyThumbprint: refreshKeyOf(order),
    familyId: given.familyId ?? deps.newId(),
    createdAt: tx.now,
  };
  insertFamily(tx, family);
  insertFamilySources(tx, family, sources);
  const issued = insertTokens(tx, deps, family, order);
  recordIssued(tx, "token_family.created", family, 1);
  return issued;
}

/**
 * Step: issues further tokens of a family. Returns undefined when it was revoked meanwhile. `sequence`: where it was
 * taken already.
 */
export async function extendFamily(
  tx: Tx,
  deps: IssueDeps,
  { family, sequence: taken }: { readonly family: TokenFamily; readonly sequence: number | undefined },
  order: TokenOrder,
): Promise<IssuedTokens | undefined> {
  const sequence = taken ?? (await advanceFamily(tx, family.familyId, refreshKeyOf(order)));
  if (sequence === undefined) return undefined;
  const issued = insertTokens(tx, deps, family, order);
  recordIssued(tx, "token_family.refreshed", family, sequence);
  return issued;
}

function insertTokens(tx: Tx, deps: IssueDeps, family: TokenFamily, order: TokenOrder): IssuedTokens {
  const accessToken = order.format === "opaque" ? generateToken("accessToken", deps.random) : undefined;
  const tokenId = accessToken === undefined ? deps.random(18).toString("base64url") : hashSecret(accessToken);
  const expiresAt = tx.now + order.accessTokenLifetime;
  const { format, scope, audience } = order;
  const token = { tokenId, format, scope, audience, keyThumbprint: order.keyBinding?.thumbprint };
  if (format !== "none") {
    insertAccessToken(tx, family.familyId, { ...token, format, createdAt: tx.now, expiresAt });
  }
  let refreshToken: Secret | undefined;
  if (order.refreshTokenIdleLifetime !== undefined) {
    refreshToken = generateToken("refreshToken", deps.random);
    insertRefreshToken(tx, {
      tokenHash: hashSecret(refreshToken),
      familyId: family.familyId,
      accessTokenId: tokenId,
      expiresAt: Math.min(tx.now + order.refreshTokenIdleLifetime, family.expiresAt),
    });
  }
  return { ...token, family, accessToken, refreshToken, issuedAt: tx.now, expiresAt };
}

const refreshKeyOf = ({ keyBinding }: TokenOrder): string | undefined =>
  keyBinding?.isForRefresh === true ? keyBinding.thumbprint : undefined;

function recordIssued(tx: Tx, type: string, family: TokenFamily, sequence: number): void {
  tx.record({
    type,
    ...familyAggregate({ familyId: family.familyId, ownerId: tx.instanceId }),
    sequence,
    payload: { clientId: family.clientId, userId: family.userId, sessionId: family.sessionId, scope: family.scope },
  });
}
