import type { Instant } from "../../base/clock.ts";
import type { Preparation } from "../../call/index.ts";

/** Claims about the user that an authorization request asked for by name (OpenID Connect Core §5.5). */
export interface RequestedClaims {
  readonly idToken: readonly string[];
  readonly userinfo: readonly string[];
}

/** Everything that was issued from one authorization. */
export interface TokenFamily {
  readonly familyId: string;
  /** Client the tokens were issued to: an application's client id, or the user id of a service account. */
  readonly clientId: string;
  readonly applicationId: string | undefined;
  readonly projectId: string | undefined;
  readonly userId: string | undefined;
  readonly sessionId: string | undefined;
  /** Granted scope, space-delimited, with the namespace word that the client used. */
  readonly scope: string;
  readonly audience: readonly string[];
  readonly authTime: Instant | undefined;
  /** Values of `amr` (RFC 8176). */
  readonly authenticationMethods: readonly string[];
  /** `acr` (OpenID Connect Core §2): what the sign-in amounted to; undefined where no user signed in. */
  readonly acr?: string | undefined;
  readonly nonce: string | undefined;
  readonly claims?: RequestedClaims | undefined;
  /** `act` of RFC 8693 §4.1, for delegated families. */
  readonly actor: Actor | undefined;
  /** Format of the access tokens of a family that came from a token exchange; absent for families of other grants. */
  readonly exchangedFormat?: "opaque" | "jwt" | undefined;
  /** Thumbprint of the key that a refresh must prove (RFC 9449 §5); undefined when none is required. */
  readonly keyThumbprint: string | undefined;
  /**
   * When the key by which a service account got the tokens ends: by them it makes itself nothing that lasts longer.
   * Absent for other credentials.
   */
  readonly credentialExpiresAt?: Instant | undefined;
  readonly createdAt: Instant;
  /** Absolute end of refreshing. */
  readonly expiresAt: Instant;
}

/** The party that acts for the subject (RFC 8693 §4.1); nested when the actor acted through another. */
export interface Actor {
  readonly iss: string;
  readonly sub: string;
  readonly act?: Actor;
}

/** Something that a family was exchanged from, and ends with. */
export interface FamilySource {
  readonly kind: "family" | "access_token" | "personal_access_token" | "session" | "user" | "impersonation";
  readonly id: string;
}

/** Whether a family, by its sources, is of a user as whom an administrator signed in, or was exchanged from one. */
export const isOfImpersonation = (sources: readonly FamilySource[]): boolean =>
  sources.some(({ kind }) => kind === "impersonation");

export interface AccessToken {
  /** Hash of an opaque token, `jti` of a JWT. */
  readonly tokenId: string;
  readonly format: "opaque" | "jwt";
  readonly scope: string;
  readonly audience: readonly string[];
  /** Thumbprint of the key to which the token is bound (RFC 9449 §6); undefined for a bearer token. */
  readonly keyThumbprint: string | undefined;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** A token that is valid now, with what it stands for. */
export interface ActiveToken extends AccessToken {
  readonly kind: "access_token" | "personal_access_token";
  readonly family: TokenFamily;
  /** Organization of the user; undefined for tokens without a user. */
  readonly organizationId: string | undefined;
  /** What others know or control of its session; absent without one, and where that is not known. */
  readonly preparedBy?: readonly Preparation[];
}

export const familyAggregate = (family: { readonly familyId: string; readonly ownerId: string }) =>
  ({ aggregateType: "token_family", aggregateId: family.familyId, ownerId: family.ownerId }) as const;
