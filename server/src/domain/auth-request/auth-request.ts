import type { Instant } from "../../base/clock.ts";
import type { ResponseType } from "../application/index.ts";

/** What the client asked for, checked, as it was when the request arrived. */
export interface AuthRequestParameters {
  readonly redirectUri: string;
  readonly responseType: ResponseType;
  readonly responseMode: "query" | "fragment" | "form_post";
  /** As the client spelled it. */
  readonly scope: string;
  readonly state?: string;
  readonly nonce?: string;
  readonly codeChallenge?: string;
  /** Resources that the tokens are for (RFC 8707 §2.1). */
  readonly resources?: readonly string[];
  /** `dpop_jkt`: thumbprint of the key that the redemption of the code must prove (RFC 9449 §10). */
  readonly dpopThumbprint?: string;
  readonly prompt: readonly string[];
  /** Seconds. */
  readonly maxAge?: number;
  readonly loginHint?: string;
  readonly uiLocales: readonly string[];
  /** User of a genuine id token that the client sent as a hint. */
  readonly hintUserId?: string;
  /** The users who alone may answer (parameter `claims`, `sub` with values). */
  readonly subjects?: readonly string[];
  /** Claims that were asked for by name. */
  readonly claims?: { readonly idToken: readonly string[]; readonly userinfo: readonly string[] };
  /** Only users of this organization may sign in (scope `…:org:id:` or `…:org:domain:primary:`). */
  readonly organizationId?: string;
}

export interface AuthRequest {
  readonly authRequestId: string;
  readonly clientId: string;
  readonly applicationId: string;
  readonly parameters: AuthRequestParameters;
  /** Session that the person chose or made for it. */
  readonly sessionId: string | undefined;
  /** Session whose person agreed to what this very request asks for. */
  readonly consentedSessionId: string | undefined;
  /** When the person went back without signing in. */
  readonly declinedAt: Instant | undefined;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}
