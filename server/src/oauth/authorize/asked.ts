import type { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import type { RedirectUri } from "../../domain/oidc-configuration/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { Parameters } from "../parameters.ts";
import type { ResponseTarget } from "./answer.ts";

/** A request as far as it could be read, and what brought it. */
export interface BroughtRequest {
  readonly parameters: Parameters;
  /** Hash of a reference that the answer uses up; undefined when the request may be repeated. */
  readonly referenceHash: string | undefined;
  /** Why it could not be read in full: told to the client, once the client and its redirect URI are known. */
  readonly refused: OAuthError | undefined;
  /** Whether the client pushed or signed the scope; otherwise the browser sent it, and any link could contain it. */
  readonly isScopeFromClient: boolean;
  /** The same for `login_hint`. */
  readonly isHintFromClient: boolean;
  /** Of a sign-in that tries the application. */
  readonly testId?: string;
}

/** A request of a known client with a redirect URI of that client: what its checks start from. */
export interface Asked {
  readonly deps: OAuthDeps;
  readonly call: Call;
  readonly issuer: string;
  readonly client: Client;
  readonly redirectUri: RedirectUri;
  /** The request as its client made it. */
  readonly parameters: Parameters;
}

/** The form that reached an endpoint; the request itself may have been pushed, or be in an object. */
export interface Sent {
  readonly client: Client;
  readonly sent: Parameters;
}

/** Such a request at the authorization endpoint: its errors may be sent to the client. */
export interface TrustedRequest extends Asked, BroughtRequest, Sent {
  /** Where the response goes. */
  readonly target: ResponseTarget;
}
