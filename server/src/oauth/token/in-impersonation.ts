import type { Tx } from "../../database/index.ts";
import type { Impersonation } from "../../domain/impersonation/index.ts";
import type { CodeIssuance, NewFamily } from "../../domain/token/index.ts";
import { recordUserEvent } from "../../domain/user/index.ts";
import type { Issuance } from "./grant.ts";

type IssuanceOfCode = Issuance & { readonly family: { readonly kind: "new"; readonly family: NewFamily } };

/** Returns a code of an impersonation without what it never gives, by no exchange either: tokens after its end. */
export const withoutOfflineAccess = (issuance: CodeIssuance): CodeIssuance => ({
  ...issuance,
  scope: issuance.scope
    .split(" ")
    .filter((token) => token !== "offline_access")
    .join(" "),
});

/**
 * Returns the tokens for a code that an administrator got as a user. They name the administrator (`act`, RFC 8693
 * §4.1), are of no session of the user, and end with the impersonation, the administrator and their session
 * (`domain/token/is-still-founded.ts`). They cannot be refreshed, and like all delegated tokens they are no caller of
 * our own APIs (`bearer/caller-of-token.ts`). Each issuance is recorded.
 */
export function inImpersonation(
  tx: Tx,
  issuer: string,
  issuance: IssuanceOfCode,
  impersonation: Impersonation,
): IssuanceOfCode {
  const { impersonationId, userId, organizationId, actorId, sessionId, reason, expiresAt } = impersonation;
  const { family } = issuance.family;
  const { clientId, applicationId } = family;
  const actor = { iss: issuer, sub: actorId };
  return {
    ...issuance,
    family: {
      kind: "new",
      family: {
        ...family,
        sessionId: undefined,
        actor,
        exchangedFormat: issuance.format === "jwt" ? "jwt" : "opaque",
        expiresAt: Math.min(family.expiresAt, expiresAt),
        sources: [
          { kind: "impersonation", id: impersonationId },
          { kind: "user", id: actorId },
          { kind: "session", id: sessionId },
        ],
      },
    },
    notAfter: Math.min(issuance.notAfter ?? Number.POSITIVE_INFINITY, expiresAt),
    withRefreshToken: false,
    onIssued: async () => {
      const payload = { clientId, applicationId, actor, impersonationId, reason };
      await recordUserEvent(tx, { userId, organizationId }, { type: "user.impersonated", payload });
    },
  };
}
