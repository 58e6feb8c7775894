import type { Instant } from "../../../../base/clock.ts";
import type { Actor, FamilySource } from "../../../../domain/token/index.ts";

/** The user of a token in an exchange, and what the token permits. */
export interface Party {
  readonly userId: string;
  readonly organizationId: string;
  /** Client that the token was issued to; undefined for tokens without one (user id, a client's own JWT). */
  readonly clientId: string | undefined;
  /** With our own namespace word; undefined for tokens without scope. */
  readonly scope: ReadonlySet<string> | undefined;
  readonly audience: readonly string[];
  /** When the audience was given: a resource that was registered later is not in it. Absent for tokens without one. */
  readonly audienceSince?: Instant;
  /** Whether the token is bound to the key that the client proved: what comes of it stays bound, refreshed as well. */
  readonly isBound: boolean;
  /** Whether the client may use the permissions of the user by this token, such as that to act for others. */
  readonly carriesPermissions: boolean;
  readonly sessionId: string | undefined;
  readonly authTime: Instant | undefined;
  readonly authenticationMethods: readonly string[];
  readonly acr: string | undefined;
  readonly nonce: string | undefined;
  /** The current actor for the user. */
  readonly actor: Actor | undefined;
  /** `may_act` (RFC 8693 §4.4) of the token, if it has one. */
  readonly mayAct: unknown;
  /** Expiry of the token, and latest end of everything that comes of it. */
  readonly expiresAt: Instant;
  /** When the credential behind the token ends (`credentialEndOf`); absent where none is known to end. */
  readonly credentialExpiresAt?: Instant | undefined;
  /** What the token depends on, and itself: when one of these ends, so does what comes of it. */
  readonly sources: readonly FamilySource[];
}
