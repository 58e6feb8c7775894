import { principalId } from "../base/id.ts";
import { JwtRefused, type PublicKey, parseAssertion, verifyAssertion } from "../base/jose/index.ts";
import type { Caller } from "../call/index.ts";
import { createSystemAccess } from "../domain/administrator-access/index.ts";

/** A user who manages instances, defined only by configuration: no instance has a row of this user. */
export interface SystemUser {
  readonly userId: string;
  readonly key: PublicKey;
}

/** Authenticates a system user by a self-signed token; undefined for any other text. */
export type AuthenticateSystemUser = (token: string, now: number) => Promise<Caller | undefined>;

/**
 * Creates the verification of system users, who sign their tokens themselves: issuer and subject are their id, the
 * audience is the configured base URL, and the age is at most an hour. A token may be used repeatedly until it expires,
 * like any bearer token.
 */
export function createAuthenticateSystemUser(
  systemUsers: readonly SystemUser[],
  audience: string,
): AuthenticateSystemUser {
  const byId = new Map(systemUsers.map((user) => [user.userId, user]));
  const access = createSystemAccess(["SYSTEM_OWNER"]);
  return async (token, now) => {
    if (byId.size === 0 || !token.includes(".")) return undefined;
    try {
      const assertion = parseAssertion(token);
      const user = byId.get(assertion.issuer ?? "");
      if (user === undefined) return undefined;
      await verifyAssertion(assertion, {
        keys: [{ ...user.key, ...(assertion.keyId !== undefined && { keyId: assertion.keyId }) }],
        algorithms: ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "ES512", "EdDSA"],
        types: ["jwt"],
        issuer: user.userId,
        subject: user.userId,
        audience,
        now,
        maxAgeSeconds: 3600,
        clockSkewSeconds: 1,
        required: ["iat"],
      });
      return { userId: principalId(`system/${user.userId}`), organizationId: "", access };
    } catch (error) {
      if (error instanceof JwtRefused) return undefined;
      throw error;
    }
  };
}
