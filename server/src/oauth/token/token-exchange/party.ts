import type { Instant } from "../../../base/clock.ts";
import type { Actor, FamilySource } from "../../../domain/token/index.ts";

/** The user of a token in an exchange, and what the token permits. */
export interface Party {
  readonly userId: string;
  readonly organizationId: string;
  /** Client that the token was issued to; undefined for tokens without one (user id, a client's own JWT). */
  readonly clientId: string | undefined;
  /** With our own namespace word; undefined for tokens without scope. */
  readonly scope: ReadonlySet<string> | undefined;
  readonly audience: readonly string[];
  readonly sessionId: string | undefined;
  readonly authTime: Instant | undefined;
  readonly authenticationMethods: readonly string[];
  readonly nonce: string | undefined;
  /** The current actor for the user. */
  readonly actor: Actor | undefined;
  /** `may_act` (RFC 8693 §4.4) of the token, if it has one. */
  readonly mayAct: unknown;
  /** Expiry of the token. */
  readonly expiresAt: Instant;
  /** Expiry of tokens obtained by refreshing it. */
  readonly refreshableUntil: Instant;
  readonly sources: readonly FamilySource[];
}
