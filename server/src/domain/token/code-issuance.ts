import type { Instant } from "../../base/clock.ts";
import type { RequestedClaims } from "./token-family.ts";

/** What a code stands for: the authorization request as it was answered. */
export interface CodeIssuance {
  readonly redirectUri: string;
  /** Granted scope, space-delimited, with the namespace word that the client used. */
  readonly scope: string;
  readonly nonce?: string;
  readonly claims?: RequestedClaims;
  /** S256 challenge (RFC 7636 §4.2). */
  readonly codeChallenge?: string;
  /** Thumbprint of the key that the redemption must prove (RFC 9449 §10). */
  readonly dpopThumbprint?: string;
  /** Resources that the authorization was for (RFC 8707 §2.1). */
  readonly resources?: readonly string[];
  readonly sessionId: string;
  readonly userId: string;
  readonly authTime: Instant;
  readonly authenticationMethods: readonly string[];
  /** `acr` (OpenID Connect Core §2). */
  readonly acr?: string | undefined;
  /** The impersonation in which an administrator, whose session it is, answered as the user. */
  readonly impersonationId?: string;
}
