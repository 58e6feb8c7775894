import type { OAuthError } from "../../base/oauth-error.ts";
import type { WebRequest, WebResponse } from "../../web/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { DeliverDeps } from "../response-mode/deliver.ts";
import type { UntrustedRequest } from "./resolve-client.ts";

export interface AuthorizeDeps extends OAuthDeps, DeliverDeps {
  /** Renders a page for a request whose error may not be sent to the client. */
  readonly renderUntrusted: (request: WebRequest, reason: UntrustedRequest | OAuthError) => WebResponse;
}
