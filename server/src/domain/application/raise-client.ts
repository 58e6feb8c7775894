import type { Client } from "./client.ts";

/**
 * Returns the client as the strict profile has it: PKCE is required (RFC 9700 §2.1.1), nothing but codes leaves through
 * the browser (RFC 9700 §2.1.2), and no setting of its own lets its assertions name more than our issuer. Nothing is
 * stored.
 */
export const raiseClient = (client: Client): Client =>
  Object.freeze<Client>({
    ...client,
    isPkceRequired: true,
    isOfflineConsentRequired: true,
    grantTypes: new Set([...client.grantTypes].filter((grantType) => grantType !== "implicit")),
    responseTypes: new Set([...client.responseTypes].filter((responseType) => responseType === "code")),
    assertionAudience: client.assertionAudience === "issuer" ? "issuer" : "default",
  });
