import type { Client } from "../domain/application/index.ts";
import type { AuthRequestParameters } from "../domain/auth-request/index.ts";
import { scopeOfAssertions } from "../domain/saml-configuration/index.ts";

/**
 * Returns the scope that the client gets by an answer to the request. A client of OAuth gets what it asked for, however
 * it was configured since. A service provider of SAML names no scope: it is told what its configuration says when the
 * answer is made, so the same configuration says what the user has to agree to.
 */
export const requestedScope = (
  { saml: configuration }: Pick<Client, "saml">,
  { scope, saml }: Pick<AuthRequestParameters, "scope" | "saml">,
): string => (configuration === undefined ? scope : scopeOfAssertions(configuration, saml?.nameIdFormat));
