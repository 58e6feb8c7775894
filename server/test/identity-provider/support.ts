import assert from "node:assert/strict";
import type { ProviderKind } from "../../src/domain/identity-provider/index.ts";
import { testCertificate } from "../support/http/test-certificate.ts";
import { metadataXml } from "../support/identity-provider/saml-metadata.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

export const secret = "client-secret-4711";

const common = { name: "Example", clientId: "client", scopes: ["openid", "email"] };
const endpoints = {
  authorizationEndpoint: "https://idp.example/authorize?prompt=login",
  tokenEndpoint: "https://idp.example/token",
  userEndpoint: "https://idp.example/user",
};

const noAttributes = Object.fromEntries(
  "firstName lastName displayName nickName preferredUsername email emailVerified phone phoneVerified preferredLanguage"
    .split(" ")
    .concat("avatarUrl", "profile")
    .map((name) => [`${name}Attribute`, ""]),
);

/** How a kind of provider is configured, and how answers show it. */
export interface KindCase {
  /** Last part of the path. */
  readonly path: string;
  /** Member of the configuration in answers. */
  readonly member: string;
  /** Name of the kind in the enumerations of kinds: `PROVIDER_TYPE_…`, `IDP_TYPE_…`, `IDENTITY_PROVIDER_TYPE_…`. */
  readonly type: string;
  /** Name of the kind in events. */
  readonly event: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** What an update changes, and where the change is seen. */
  readonly changed: Readonly<Record<string, unknown>>;
  /** Fields of addresses. */
  readonly addresses: readonly string[];
  /** The field of requests with the secret; `clientSecret` when not given. */
  readonly secretField?: string;
  /** Updated by POST in the Admin API, as in the reference. */
  readonly updatesByPost?: true;
}

/** Every kind that is built; a kind without its entry does not compile. */
export const kinds: Readonly<Record<ProviderKind, KindCase>> = {
  oidc: {
    path: "generic_oidc",
    member: "oidc",
    type: "OIDC",
    event: "oidc",
    body: { ...common, issuer: "https://idp.example/realm", isIdTokenMapping: true, usePkce: true },
    changed: { issuer: "https://idp.example/other", scopes: [], isIdTokenMapping: false },
    addresses: ["issuer"],
  },
  oauth: {
    path: "oauth",
    member: "oauth",
    type: "OAUTH",
    event: "oauth",
    body: { ...common, ...endpoints, idAttribute: "id", usePkce: false },
    changed: { userEndpoint: "https://idp.example/me", idAttribute: "sub", usePkce: true },
    addresses: ["authorizationEndpoint", "tokenEndpoint", "userEndpoint"],
  },
  jwt: {
    path: "generic_jwt",
    member: "jwt",
    type: "JWT",
    event: "jwt",
    body: {
      name: "Example",
      issuer: "our proxy",
      jwtEndpoint: "https://proxy.example/in",
      keysEndpoint: "https://proxy.example/keys",
      headerName: "x-proxy-token",
      audience: "doorward",
    },
    changed: { issuer: "https://proxy.example", headerName: "x-other", audience: "" },
    addresses: ["jwtEndpoint", "keysEndpoint"],
  },
  google: {
    path: "google",
    member: "google",
    type: "GOOGLE",
    event: "google",
    body: common,
    changed: { clientId: "other", scopes: ["openid"] },
    addresses: [],
  },
  github: {
    path: "github",
    member: "github",
    type: "GITHUB",
    event: "github",
    body: common,
    changed: { clientId: "other", scopes: ["user:email"] },
    addresses: [],
  },
  github_es: {
    path: "github_es",
    member: "githubEs",
    type: "GITHUB_ES",
    event: "github_enterprise",
    body: { ...common, ...endpoints },
    changed: { authorizationEndpoint: "https://github.example/authorize" },
    addresses: ["authorizationEndpoint", "tokenEndpoint", "userEndpoint"],
  },
  gitlab: {
    path: "gitlab",
    member: "gitlab",
    type: "GITLAB",
    event: "gitlab",
    body: common,
    changed: { clientId: "other", scopes: [] },
    addresses: [],
    updatesByPost: true,
  },
  gitlab_self_hosted: {
    path: "gitlab_self_hosted",
    member: "gitlabSelfHosted",
    type: "GITLAB_SELF_HOSTED",
    event: "gitlab_self_hosted",
    body: { ...common, issuer: "https://gitlab.example" },
    changed: { issuer: "https://gitlab.example/group" },
    addresses: ["issuer"],
    updatesByPost: true,
  },
  azure_ad: {
    path: "azure",
    member: "azureAd",
    type: "AZURE_AD",
    event: "azure",
    body: { ...common, tenant: { tenantType: "AZURE_AD_TENANT_TYPE_ORGANISATIONS" }, emailVerified: true },
    changed: { tenant: { tenantId: "9188040d-6c67-4c5b-b112-36a304b66dad" }, emailVerified: false },
    addresses: [],
  },
  apple: {
    path: "apple",
    member: "apple",
    type: "APPLE",
    event: "apple",
    secretField: "privateKey",
    body: {
      name: "Example",
      clientId: "com.example.web",
      teamId: "TEAM123456",
      keyId: "KEY1234567",
      scopes: ["email"],
    },
    changed: { keyId: "KEY7654321", scopes: [] },
    addresses: [],
  },
  ldap: {
    path: "ldap",
    member: "ldap",
    type: "LDAP",
    event: "ldap",
    secretField: "bindPassword",
    body: {
      name: "Example",
      servers: ["ldaps://ldap.example", "ldap://ldap2.example:389"],
      startTls: true,
      baseDn: "dc=example",
      bindDn: "cn=service,dc=example",
      userBase: "dn",
      userObjectClasses: ["person"],
      userFilters: ["uid", "mail"],
      timeout: "3.500s",
      attributes: { ...noAttributes, idAttribute: "entryUUID", emailAttribute: "mail", lastNameAttribute: "sn" },
      rootCa: Buffer.from(testCertificate.cert.trim()).toString("base64"),
    },
    changed: {
      baseDn: "dc=other",
      bindDn: "other@example",
      userFilters: ["uid"],
      timeout: "2s",
      attributes: { ...noAttributes, idAttribute: "uid" },
    },
    addresses: [],
  },
  saml: {
    path: "saml",
    member: "saml",
    type: "SAML",
    event: "saml",
    body: {
      name: "Example",
      metadataXml: metadataXml(),
      binding: "SAML_BINDING_POST",
      withSignedRequest: true,
      nameIdFormat: "SAML_NAME_ID_FORMAT_PERSISTENT",
      transientMappingAttributeName: "uid",
      federatedLogoutEnabled: true,
      signatureAlgorithm: "SAML_SIGNATURE_RSA_SHA512",
    },
    changed: {
      metadataXml: metadataXml({ location: "https://saml.example/other" }),
      binding: "SAML_BINDING_REDIRECT",
      nameIdFormat: "SAML_NAME_ID_FORMAT_TRANSIENT",
      signatureAlgorithm: "SAML_SIGNATURE_UNSPECIFIED",
    },
    addresses: [],
  },
};

/** Returns the secret of a kind as requests have it. */
export const secretOf = ({ secretField = "clientSecret" }: KindCase): Record<string, string> => ({
  [secretField]: secretField === "privateKey" ? Buffer.from(testCertificate.key).toString("base64") : secret,
});

export const options = {
  isLinkingAllowed: true,
  isCreationAllowed: true,
  isAutoCreation: false,
  isAutoUpdate: true,
  autoLinking: "AUTO_LINKING_OPTION_EMAIL",
};

/** Returns the body that adds a provider of a kind. */
export const bodyOf = (known: KindCase): Record<string, unknown> => ({
  ...known.body,
  ...(known.path !== "generic_jwt" && known.path !== "saml" && secretOf(known)),
  providerOptions: options,
});

/** The level of the providers: `admin` for the instance's, `management` for those of an organization. */
export interface Side {
  readonly name: "admin" | "management";
  readonly server: TestServer;
  readonly organizationId: string;
  readonly token?: string;
}

/** Calls a route of a side; the path is what follows `/admin/v1` or `/management/v1`. */
export function ask(side: Side, method: string, path: string, body?: object): Promise<RestAnswer> {
  const { server, name, organizationId, token } = side;
  return server.rest(method, `/${name}/v1${path}`, {
    ...(body !== undefined && { body }),
    ...(token !== undefined && { token }),
    ...(name === "management" && { headers: { "x-zitadel-orgid": organizationId } }),
  });
}

/** Calls a route, and requires success. */
export async function must(side: Side, method: string, path: string, body?: object): Promise<RestAnswer["body"]> {
  const answer = await ask(side, method, path, body);
  assert.equal(answer.status, 200, `${side.name} ${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Returns `status id` of a refusal. */
export async function refusal(side: Side, method: string, path: string, body?: object): Promise<string> {
  const answer = await ask(side, method, path, body);
  return `${answer.status} ${answer.body.details?.[0]?.id}`;
}

/** Adds a provider of a kind and returns its id. */
export async function add(side: Side, kind: ProviderKind, given: object = {}): Promise<string> {
  const known = kinds[kind];
  return (await must(side, "POST", `/idps/${known.path}`, { ...bodyOf(known), ...given })).id;
}
