import type { Client } from "../../domain/application/index.ts";
import type { RedirectUri, ResponseType } from "../../domain/oidc-configuration/index.ts";
import type { ContextDemand } from "../../domain/session/index.ts";
import type { RequestedClaims } from "../../domain/token/index.ts";
import type { ResponseMode } from "../response-mode/response-mode.ts";

export const prompts = ["none", "login", "select_account", "create", "consent"] as const;
type Prompt = (typeof prompts)[number];

/** The checked parameter `claims`. */
export interface ClaimsDemand {
  /** Claims about the user that were requested by name; absent when none of them is known. */
  readonly requested: RequestedClaims | undefined;
  /** The only users who may answer, when `sub` was requested with a value. */
  readonly subjects: readonly string[] | undefined;
  /** Values that were requested for `acr`; absent when none were. */
  readonly context: ContextDemand | undefined;
}

/** An authorization request that passed every check (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: RedirectUri;
  readonly responseType: ResponseType;
  readonly responseMode: ResponseMode;
  /** As the client spelled it, without the dropped scopes. */
  readonly scope: string;
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  readonly codeChallenge: string | undefined;
  /** Thumbprint of the key that must be proven when the code is redeemed. */
  readonly dpopThumbprint: string | undefined;
  /** Resources for which the tokens are requested. */
  readonly resources: readonly string[];
  readonly prompt: ReadonlySet<Prompt>;
  /** Seconds. */
  readonly maxAge: number | undefined;
  readonly loginHint: string | undefined;
  readonly idTokenHint: string | undefined;
  readonly uiLocales: readonly string[];
  readonly claims: ClaimsDemand;
  /** The requested `acr`, from whichever parameter. */
  readonly context: ContextDemand;
  /** The only organization whose users may answer, when the scope names one. */
  readonly organizationId: string | undefined;
}

/** What a check settles of a request. */
export type Settled<Field extends keyof AuthorizationRequest> = Pick<AuthorizationRequest, Field>;
