import { OIDCApplicationType, OIDCAuthMethodType, OIDCGrantType } from "@doorward/api/service/application/v2/oidc_pb";

/** What an application is to the server, whatever it is written in. */
export type ApplicationKind = "web" | "browser" | "native" | "device" | "api" | "saml";

/** Something that applications are written in or are, as a developer would name it. */
export interface Stack {
  readonly id: string;
  readonly name: string;
  readonly kind: ApplicationKind;
  /** Where its library expects users to return, on the developer's machine. */
  readonly redirectUri?: string;
}

/** The stacks of the wizard, in its order. */
export const stacks: readonly Stack[] = [
  { id: "react", name: "React + Vite", kind: "browser", redirectUri: "http://localhost:5173/callback" },
  { id: "vue", name: "Vue", kind: "browser", redirectUri: "http://localhost:5173/callback" },
  { id: "angular", name: "Angular", kind: "browser", redirectUri: "http://localhost:4200/callback" },
  { id: "next", name: "Next.js", kind: "web", redirectUri: "http://localhost:3000/api/auth/callback/doorward" },
  { id: "sveltekit", name: "SvelteKit", kind: "web", redirectUri: "http://localhost:5173/auth/callback/doorward" },
  { id: "express", name: "Express", kind: "web", redirectUri: "http://localhost:3000/callback" },
  { id: "hono", name: "Hono", kind: "web", redirectUri: "http://localhost:3000/callback" },
  { id: "go", name: "Go", kind: "web", redirectUri: "http://localhost:8090/callback" },
  { id: "python", name: "Python", kind: "web", redirectUri: "http://localhost:8000/callback" },
  { id: "spring", name: "Spring Boot", kind: "web", redirectUri: "http://localhost:8082/login/oauth2/code/doorward" },
  { id: "aspnet", name: "ASP.NET Core", kind: "web", redirectUri: "http://localhost:5000/signin-oidc" },
  { id: "native", name: "iOS, Android, desktop", kind: "native", redirectUri: "http://127.0.0.1/callback" },
  { id: "device", name: "Command line, TV", kind: "device" },
  { id: "api", name: "API", kind: "api" },
  { id: "saml", name: "SAML", kind: "saml" },
];

interface ClientSettings {
  readonly applicationType: OIDCApplicationType;
  readonly authMethodType: OIDCAuthMethodType;
  readonly grantTypes: OIDCGrantType[];
}

/**
 * Returns how an application of a kind authenticates, and which grants it uses. An API only introspects tokens, and
 * SAML has no such settings.
 */
export const clientSettings: Readonly<Record<Exclude<ApplicationKind, "api" | "saml">, ClientSettings>> = {
  web: {
    applicationType: OIDCApplicationType.OIDC_APP_TYPE_WEB,
    authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC,
    grantTypes: [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE, OIDCGrantType.OIDC_GRANT_TYPE_REFRESH_TOKEN],
  },
  browser: {
    applicationType: OIDCApplicationType.OIDC_APP_TYPE_USER_AGENT,
    authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE,
    grantTypes: [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE],
  },
  native: {
    applicationType: OIDCApplicationType.OIDC_APP_TYPE_NATIVE,
    authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE,
    grantTypes: [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE, OIDCGrantType.OIDC_GRANT_TYPE_REFRESH_TOKEN],
  },
  device: {
    applicationType: OIDCApplicationType.OIDC_APP_TYPE_NATIVE,
    authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE,
    grantTypes: [OIDCGrantType.OIDC_GRANT_TYPE_DEVICE_CODE, OIDCGrantType.OIDC_GRANT_TYPE_REFRESH_TOKEN],
  },
};
