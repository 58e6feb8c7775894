import { completeOidcConfiguration, type OidcConfiguration } from "../oidc-configuration/index.ts";

/** What comes with an instance. */
export type BuiltInName = "console" | "command_line";

/** Whether the command line may sign in: also where there is no browser (`all`), only in one (`browser`), or not. */
export type CommandLineUse = "all" | "browser" | "off";

/** What the operator decides about the applications that come with instances. */
export interface BuiltIns {
  /** The configured base URL: scheme and port of every instance. */
  readonly base: string;
  readonly isConsoleOn: boolean;
  readonly commandLine: CommandLineUse;
}

/** The addresses of the console, below the origin of its instance. */
export const consolePaths = {
  home: "/ui/console/",
  /** Where a sign-in without a page ends: the browser reads the code from this address. */
  signedIn: "/ui/console/return",
  /** Where a sign-in that tries an application ends. Neither a code nor a token goes there. */
  tested: "/ui/console/test-sign-in",
} as const;

/** The names that these applications get, unless another application of their project has it. */
export const builtInNames = {
  console: "Console",
  command_line: "Doorward command line",
} as const satisfies Record<BuiltInName, string>;

/**
 * Returns the configuration of the console's application. It comes from the program and not from a row, so nothing
 * stored can weaken it. Its addresses are at the origin where its instance is reached now, never at a host that was
 * removed and may belong to others since. Without an origin it has no addresses.
 *
 * Codes are worth nothing without the verifier of the page that asked for them, and tokens nothing without its key. It
 * gets no refresh tokens: while its user is signed in, it asks again.
 */
const consoleConfiguration = (origin?: string): OidcConfiguration =>
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

/** Longest lifetime of access tokens of the command line in seconds: it keeps them in a file, and prints them. */
export const commandLineAccessTokenSeconds = 900;

/**
 * Returns the configuration of the application that `doorward login` signs in to. Any program on the machine of a user
 * can start that sign-in and call itself by its client id (RFC 8252 §8.6), so the user is asked each time, and codes go
 * to loopback addresses alone. An access token is short, and refresh tokens rotate: a copy that is used is noticed.
 * Without `hasDevices` nothing can sign in that is not on the machine of the browser, so a code that a stranger sends
 * to an administrator is worth nothing (RFC 8628 §5.4).
 */
const commandLineConfiguration = ({ hasDevices }: { readonly hasDevices: boolean }): OidcConfiguration =>
  completeOidcConfiguration({
    applicationType: "native",
    authMethod: "none",
    responseTypes: ["code"],
    grantTypes: [
      "authorization_code",
      "refresh_token",
      ...(hasDevices ? (["urn:ietf:params:oauth:grant-type:device_code"] as const) : []),
    ],
    redirectUris: ["http://127.0.0.1/callback", "http://[::1]/callback"],
    isPkceRequired: true,
    isConsentRequired: true,
    isTrustedForApi: true,
    isAudienceNarrow: true,
  });

/** Returns the configuration of one of them; `origin` is where its instance is now. */
export const builtInConfiguration = (
  name: BuiltInName,
  { origin, commandLine }: { readonly origin?: string | undefined; readonly commandLine: CommandLineUse },
): OidcConfiguration =>
  name === "console" ? consoleConfiguration(origin) : commandLineConfiguration({ hasDevices: commandLine === "all" });
