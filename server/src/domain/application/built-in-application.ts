import { completeOidcConfiguration, type OidcConfiguration } from "../oidc-configuration/index.ts";

/** The addresses of the console, below the origin of its instance. */
export const consolePaths = {
  home: "/ui/console/",
  /** Where a sign-in without a page ends: the browser reads the code from this address. */
  signedIn: "/ui/console/return",
} as const;

/** The name that the console's application gets, unless another application of its project has it. */
export const consoleName = "Console";

/**
 * Returns the configuration of the console's application. It is the program's and not that of any row, so that nothing
 * stored can weaken it. Its addresses are those of the origin where its instance is reached now: a host that was taken
 * away, and may belong to others since, is none of them. Without an origin it has no addresses.
 *
 * Codes are worth nothing without the verifier of the page that asked for them, and tokens nothing without its key. It
 * gets no refresh tokens: while its user is signed in, it asks again.
 */
export const consoleConfiguration = (origin?: string): OidcConfiguration =>
  completeOidcConfiguration({
    applicationType: "web",
    authMethod: "none",
    responseTypes: ["code"],
    grantTypes: ["authorization_code"],
    redirectUris: origin === undefined ? [] : [origin + consolePaths.signedIn, origin + consolePaths.home],
    postLogoutRedirectUris: origin === undefined ? [] : [origin + consolePaths.home],
    isPkceRequired: true,
    isDpopRequired: true,
    isTrustedForApi: true,
    isAudienceNarrow: true,
  });
