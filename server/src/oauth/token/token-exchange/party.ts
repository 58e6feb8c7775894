import type { Instant } from "../../../base/clock.ts";
import type { Actor, FamilySource } from "../../../domain/token/index.ts";

/** Whom a token of an exchange stands for, and what it allows. */
export interface Party {
  readonly userId: string;
  readonly organizationId: string;
  /** Client that the token was issued to; undefined where nobody issued it (user id, a client's own JWT). */
  readonly clientId: string | undefined;
  /** With our own namespace word; undefined for tokens that carry no scope. */
  readonly scope: ReadonlySet<string> | undefined;
  readonly audience: readonly string[];
  readonly sessionId: string | undefined;
  readonly authTime: Instant | undefined;
  readonly authenticationMethods: readonly string[];
  readonly nonce: string | undefined;
  /** Who acts for the user already. */
  readonly actor: Actor | undefined;
  /** `may_act` (RFC 8693 §4.4) as the token has it; undefined when it has none. */
  readonly mayAct: unknown;
  /** End of the token. */
  readonly expiresAt: Instant;
  /** End of what can be made of it by refreshing. */
  readonly refreshableUntil: Instant;
  readonly sources: readonly FamilySource[];
}
