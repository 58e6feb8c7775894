import type { Instant } from "../../base/clock.ts";
import type { ResponseType } from "../oidc-configuration/index.ts";
import type { ContextDemand } from "../session/index.ts";

/** The validated parameters of a request, as they were when it was received. */
export interface AuthRequestParameters extends ContextDemand {
  readonly redirectUri: string;
  readonly responseType: ResponseType;
  readonly responseMode: "query" | "fragment" | "form_post";
  /** As the client spelled it. */
  readonly scope: string;
  readonly state?: string;
  readonly nonce?: string;
  readonly codeChallenge?: string;
  /** Resources for which tokens are requested (RFC 8707 §2.1). */
  readonly resources?: readonly string[];
  /** `dpop_jkt`: thumbprint of the key that the redemption of the code must prove (RFC 9449 §10). */
  readonly dpopThumbprint?: string;
  readonly prompt: readonly string[];
  /** Seconds. */
  readonly maxAge?: number;
  readonly loginHint?: string;
  /** Whether an authenticated client wrote `loginHint`: it pushed or signed the request. Any link can have one. */
  readonly isHintOfClient?: true;
  readonly uiLocales: readonly string[];
  /** User of a valid id token that the client sent as a hint. */
  readonly hintUserId?: string;
  /** The only users who may answer (parameter `claims`, `sub` with values). */
  readonly subjects?: readonly string[];
  /** Claims that were requested by name. */
  readonly claims?: { readonly idToken: readonly string[]; readonly userinfo: readonly string[] };
  /** Only users of this organization may sign in (scope `…:org:id:` or `…:org:domain:primary:`). */
  readonly organizationId?: string;
  /** Whether an authenticated client named the organization: it pushed or signed the request. Any link can name one. */
  readonly isOrganizationOfClient?: true;
  /** Hash of what brought the request, when that may be answered once: a pushed request, an object with a `jti`. */
  readonly referenceHash?: string;
  /** Of a sign-in that tries the application: nothing is issued, and the answer goes to its administrator. */
  readonly testId?: string;
  /** Of an application with a custom login: answered by an impersonation or handed to that login, not by a session. */
  readonly isForImpersonation?: true;
  /** Of a request by SAML, which is answered by SAML alone. */
  readonly saml?: SamlRequestParameters;
  /** What the client was when the request came in, so that a login client's word on a consent is for no other. */
  readonly clientVersion?: string;
}

/** What a SAML request has besides. */
interface SamlRequestParameters {
  /** Entity id of the service provider. */
  readonly entityId: string;
  /** How the request came. */
  readonly binding: "redirect" | "post";
  /** ID of the request; absent when the user began here. */
  readonly requestId?: string;
  /** Returned as it came. */
  readonly relayState?: string;
  /** Requested format of the name identifier; absent for any. */
  readonly nameIdFormat?: string;
  /** Requested classes of the sign-in. */
  readonly contextClasses: readonly string[];
}

export interface AuthRequest {
  readonly authRequestId: string;
  readonly clientId: string;
  readonly applicationId: string;
  readonly parameters: AuthRequestParameters;
  /** Session that the user chose or created for the request. */
  readonly sessionId: string | undefined;
  /** Session in which the user consented to this exact request. */
  readonly consentedSessionId: string | undefined;
  /** The impersonation with which an administrator answers in place of a session. */
  readonly impersonationId: string | undefined;
  /** When the user declined to sign in. */
  readonly declinedAt: Instant | undefined;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}
