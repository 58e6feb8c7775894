import type { SamlKeyRing } from "../domain/saml-key/index.ts";
import type { SamlScripts } from "../extension/index.ts";
import type { AuthorizeDeps, OAuthDeps } from "../oauth/index.ts";

/** Dependencies of what answers SAML requests, whichever login the user signs in with. */
export interface SamlDeps extends OAuthDeps {
  readonly samlKeys: SamlKeyRing;
  /** Scripts of organizations that complement responses. */
  readonly samlScripts: SamlScripts;
}

/** Dependencies of the endpoints, which also show pages. */
export interface SamlEndpointDeps extends SamlDeps, Pick<AuthorizeDeps, "renderUntrusted" | "renderFormPost"> {}
