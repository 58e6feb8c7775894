/** Paths of the endpoints. Router and discovery document both read this, so they cannot disagree. */
export const endpointPaths = {
  discovery: "/.well-known/openid-configuration",
  protectedResource: "/.well-known/oauth-protected-resource",
  /** How the command line signs in to the instance. */
  commandLine: "/.well-known/doorward",
  authorization: "/oauth/v2/authorize",
  /** Where the hosted login returns the browser. */
  authorizationCallback: "/oauth/v2/authorize/callback",
  pushedAuthorization: "/oauth/v2/par",
  /** Where a browser fetches a response that it posts to the client. */
  authorizationResponse: "/oauth/v2/authorize/response",
  token: "/oauth/v2/token",
  deviceAuthorization: "/oauth/v2/device_authorization",
  /** Where users type the user code of a device; short, because they type this address as well. */
  deviceVerification: "/device",
  introspection: "/oauth/v2/introspect",
  revocation: "/oauth/v2/revoke",
  userinfo: "/oidc/v1/userinfo",
  endSession: "/oidc/v1/end_session",
  keys: "/oauth/v2/keys",
  /** Its management is below it, at the client id. */
  registration: "/oauth/v2/register",
  /** Also our entity id. */
  samlMetadata: "/saml/v2/metadata",
  samlCertificate: "/saml/v2/certificate",
  samlSignOn: "/saml/v2/SSO",
  samlLogout: "/saml/v2/SLO",
  /** Leads a browser that signed out through the service providers. */
  samlLogoutNext: "/saml/v2/SLO/next",
  /** Where the hosted login returns the browser. */
  samlCallback: "/saml/v2/login",
  /** Where a user begins a sign-in to a service provider. */
  samlStart: "/saml/v2/start",
} as const;
