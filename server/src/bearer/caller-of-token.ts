import type { Instant } from "../base/clock.ts";
import type { Caller, Presented } from "../call/index.ts";
import { type ContextLevel, levelOfToken, preparationsOf } from "../domain/session/index.ts";
import type { VerifiedToken } from "./verified-token.ts";

/**
 * A user behind a credential for our own APIs; what they may do is loaded next (`loadCallerAccess`), as often as a call
 * is confirmed (`callOfPresented`).
 */
export interface IdentifiedBearer {
  readonly identity: Presented<Omit<Caller, "access" | "withheld">>;
  /** What the sign-in behind the credential amounts to; absent for service accounts, which do not sign in. */
  readonly level?: ContextLevel | undefined;
}

/** Why the bearer of a good token is no caller of our own APIs. */
type NoCaller = "no_user" | "other_audience" | "delegated";

/**
 * Returns the user who calls our own APIs with the token, for methods, files and client registration alike. A token
 * without a user, or not meant for our APIs, identifies no caller. Nor does a delegated token: an actor who
 * impersonates a user may not administer as that user.
 */
export function callerOfToken({
  kind,
  tokenId,
  authority,
  organizationId,
  preparedBy,
  family,
}: VerifiedToken): IdentifiedBearer | NoCaller {
  const { userId, clientId, sessionId, actor } = family;
  const credentialExpiresAt = credentialEndOf({ kind, family });
  if (userId === undefined || organizationId === undefined) return "no_user";
  if (authority === undefined) return "other_audience";
  if (actor !== undefined) return "delegated";
  const identity = {
    userId,
    organizationId,
    ...(kind === "access_token" && { clientId }),
    token: { kind, id: tokenId, familyId: family.familyId },
    ...(authority !== "all" && { rights: authority }),
    ...(sessionId !== undefined && {
      sessionId,
      preparedBy: preparationsOf({ organizationId, factors: { ...(preparedBy && { preparedBy }) } }),
    }),
    ...(credentialExpiresAt !== undefined && { credentialExpiresAt }),
  };
  return { identity, level: levelOfToken(family) };
}

/**
 * Returns when the credential behind a token expires: the personal access token itself, or the key with which the token
 * was obtained.
 */
export const credentialEndOf = ({ kind, family }: Pick<VerifiedToken, "kind" | "family">): Instant | undefined =>
  kind === "personal_access_token" ? family.expiresAt : family.credentialExpiresAt;
