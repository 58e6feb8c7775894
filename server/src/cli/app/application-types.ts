/** A type of application as the command line offers it. */
export interface ApplicationType {
  readonly description: string;
  /** Default redirect address of sign-ins; absent for applications without sign-in. */
  readonly redirectUri?: string;
  readonly postLogoutRedirectUri?: string;
  /** Fields of the configuration of a new OpenID Connect client; absent for other types. */
  readonly oidc?: { readonly applicationType: string; readonly authMethodType: string };
}

export const applicationTypes = {
  web: {
    description: "runs on a server and has a secret",
    redirectUri: "http://localhost:3000/callback",
    postLogoutRedirectUri: "http://localhost:3000/",
    oidc: { applicationType: "OIDC_APP_TYPE_WEB", authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" },
  },
  spa: {
    description: "runs in the browser, with PKCE",
    redirectUri: "http://localhost:5173/",
    postLogoutRedirectUri: "http://localhost:5173/",
    oidc: { applicationType: "OIDC_APP_TYPE_USER_AGENT", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" },
  },
  native: {
    description: "runs on a device or in a terminal, with PKCE, on any port of the loopback address",
    redirectUri: "http://127.0.0.1/callback",
    oidc: { applicationType: "OIDC_APP_TYPE_NATIVE", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" },
  },
  api: { description: "an API that checks tokens by introspection" },
  "mcp-server": {
    description:
      "a server of the Model Context Protocol: a resource with its scopes, and the API that checks its tokens",
  },
  machine: { description: "a service account that gets tokens for itself with client credentials" },
  login: {
    description: "your own login: a service account, with its token, that may answer for every user who signs in",
  },
} as const satisfies Record<string, ApplicationType>;

export type ApplicationTypeName = keyof typeof applicationTypes;
