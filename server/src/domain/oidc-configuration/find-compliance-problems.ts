import type { OidcConfiguration } from "./oidc-configuration.ts";
import { isLoopback, parseUri } from "./uri.ts";

/**
 * What is unwise about a configuration: keys that clients of the interface know, each with a text in the catalogues.
 */
export interface Compliance {
  readonly isNonCompliant: boolean;
  readonly problems: readonly string[];
}

const prefix = "Application.OIDC.V1.";

/** Compares a configuration with what OAuth 2.0 recommends for its type of application. It never rejects one. */
export function findComplianceProblems(configuration: OidcConfiguration): Compliance {
  if (configuration.version !== "1.0") {
    return { isNonCompliant: true, problems: ["Application.OIDC.UnsupportedVersion"] };
  }
  const facts = toFacts(configuration);
  const found = rules.filter(({ applies }) => applies(facts)).map(({ key }) => prefix + key);
  if (found.length > 0) return { isNonCompliant: true, problems: [`${prefix}NotCompliant`, ...found] };
  const isMixed = facts.code && facts.implicit && !facts.onlyHttps;
  return { isNonCompliant: false, problems: isMixed ? [`${prefix}NotAllCombinationsAreAllowed`] : [] };
}

interface Facts {
  readonly type: OidcConfiguration["applicationType"];
  readonly code: boolean;
  readonly implicit: boolean;
  readonly device: boolean;
  readonly refresh: boolean;
  readonly hasNoUris: boolean;
  readonly onlyHttps: boolean;
  readonly http: boolean;
  readonly remoteHttp: boolean;
  readonly custom: boolean;
  readonly hasCredential: boolean;
  readonly development: boolean;
}

const rules: readonly { readonly key: string; applies(facts: Facts): boolean }[] = [
  { key: "NoRedirectUris", applies: ({ hasNoUris, device, code }) => hasNoUris && (!device || code) },
  { key: "GrantType.Refresh.NoAuthCode", applies: ({ refresh, code, device }) => refresh && !code && !device },
  {
    key: "Code.RedirectUris.HttpOnlyForWeb",
    applies: ({ code, http, type }) => code && http && type === "user_agent",
  },
  {
    key: "Code.RedirectUris.CustomOnlyForNative",
    applies: ({ code, implicit, custom, type }) => code && !implicit && custom && type !== "native",
  },
  {
    key: "Implicit.RedirectUris.CustomNotAllowed",
    applies: ({ code, implicit, custom, type }) => implicit && custom && (!code || type !== "native"),
  },
  {
    key: "Implicit.RedirectUris.HttpNotAllowed",
    applies: ({ code, implicit, http, type }) => implicit && !code && http && type !== "native",
  },
  {
    key: "Web.RedirectUris.MustBeHttpsOrLocalhost",
    applies: ({ code, implicit, remoteHttp, type, development }) =>
      (code || implicit) && remoteHttp && type === "web" && !development,
  },
  {
    key: "Native.RedirectUris.MustBeHttpLocalhost",
    applies: ({ code, implicit, remoteHttp, type }) => (code || implicit) && remoteHttp && type === "native",
  },
  { key: "Native.AuthMethodType.NotNone", applies: ({ type, hasCredential }) => type === "native" && hasCredential },
  {
    key: "UserAgent.AuthMethodType.NotNone",
    applies: ({ type, hasCredential }) => type === "user_agent" && hasCredential,
  },
];

function toFacts({
  redirectUris,
  grantTypes,
  applicationType,
  authMethod,
  isDevelopmentMode,
}: OidcConfiguration): Facts {
  const http = redirectUris.filter((uri) => /^http:/i.test(uri));
  const others = redirectUris.filter((uri) => !/^https?:/i.test(uri));
  return {
    type: applicationType,
    code: grantTypes.includes("authorization_code"),
    implicit: grantTypes.includes("implicit"),
    device: grantTypes.includes("urn:ietf:params:oauth:grant-type:device_code"),
    refresh: grantTypes.includes("refresh_token"),
    hasNoUris: redirectUris.length === 0,
    onlyHttps: http.length === 0 && others.length === 0,
    http: http.length > 0,
    remoteHttp: http.some((uri) => !isLocal(uri)),
    custom: others.length > 0,
    hasCredential: authMethod !== "none",
    development: isDevelopmentMode,
  };
}

function isLocal(uri: string): boolean {
  const parsed = parseUri(uri);
  return parsed !== undefined && isLoopback(parsed);
}
