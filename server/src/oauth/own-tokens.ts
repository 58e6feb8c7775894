import { type JwtType, type OwnClaims, type SigningAlgorithm, signJwt } from "../base/jose/index.ts";
import { readOwnJwt } from "../bearer/index.ts";
import type { Call } from "../call/index.ts";
import { type CreateSigningKeyDeps, ensureSigningKey, type KeyRing } from "../domain/signing-key/index.ts";
import { type IdTokenReference, parseIdTokenReference } from "./id-token-reference.ts";

/** The contents of a genuine ID token of ours, used as a hint. */
export interface IdTokenHint {
  readonly subject: string;
  readonly clientId: string | undefined;
  readonly sessionId: string | undefined;
  /** Undefined for a token of an older version, which does not name its origin. */
  readonly reference: IdTokenReference | undefined;
}

type Keys = { readonly keyRing: KeyRing };

/**
 * Ensures that the instance can sign with an application's algorithm: the first such token creates the key. A client
 * that expects one algorithm refuses every other, so there is no fallback.
 */
export async function prepareAlgorithm(
  deps: Keys & CreateSigningKeyDeps,
  call: Call,
  algorithm: SigningAlgorithm,
): Promise<void> {
  const { activeAlgorithms } = await deps.keyRing(call.instanceId);
  if (!activeAlgorithms.includes(algorithm)) await ensureSigningKey(deps, call, algorithm);
}

/** Signs a token with the instance's active key for the algorithm. */
export async function signToken(
  { keyRing }: Keys,
  instanceId: string,
  algorithm: SigningAlgorithm,
  token: { readonly type: JwtType; readonly claims: object },
): Promise<string> {
  const { signingKey } = await keyRing(instanceId);
  return signJwt(signingKey(algorithm), token.type, token.claims);
}

/** Returns the claims of an unexpired ID token of ours, where it proves something; undefined for any other text. */
export function readIdTokenClaims(
  keys: Keys,
  instance: { readonly instanceId: string; readonly issuer: string },
  token: string,
  now: number,
): Promise<OwnClaims | undefined> {
  return readOwnJwt(keys, instance, token, { type: "JWT", aliveAt: now });
}

/**
 * Returns the contents of an ID token that we issued, even if it has expired (OpenID Connect RP-Initiated Logout §2);
 * undefined for any other text.
 */
export async function readIdTokenHint(
  keys: Keys,
  instance: { readonly instanceId: string; readonly issuer: string },
  token: string,
): Promise<IdTokenHint | undefined> {
  const claims = await readOwnJwt(keys, instance, token, { type: "JWT", aliveAt: "expired is fine" });
  const text = (name: string): string | undefined => {
    const value = claims?.[name];
    return typeof value === "string" ? value : undefined;
  };
  const subject = text("sub");
  if (subject === undefined) return undefined;
  const reference = parseIdTokenReference(claims?.["jti"]);
  return { subject, clientId: text("azp"), sessionId: text("sid"), reference };
}
