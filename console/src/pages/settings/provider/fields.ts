import {
  AzureADTenantType,
  SAMLBinding,
  SAMLNameIDFormat,
  SAMLSignatureAlgorithm,
} from "@doorward/api/service/idp/v1/provider_pb";
import { readEnvironment } from "../../../session/environment.ts";
import type { TextKey } from "../../../text/catalogue.ts";
import type { ProviderKind } from "./kinds.ts";

/** A choice of a field: what is stored, and its text or the technical name that is the same in every language. */
type ProviderChoice = readonly [value: string, label: TextKey | { readonly name: string }];

/** A field of a provider's form. Its name is its path in the contract, by which refusals are shown at it. */
export interface ProviderField {
  readonly name: string;
  /**
   * How it is entered. Words have spaces between them, lines are one value each, a file is text that is sent as bytes,
   * and a secret is kept while nothing is typed.
   */
  readonly kind: "text" | "address" | "secret" | "words" | "lines" | "flag" | "choice" | "file" | "key" | "seconds";
  readonly label: TextKey;
  readonly hint?: TextKey;
  /** Instead of the hint while a provider is changed. */
  readonly hintOfChange?: TextKey;
  readonly isRequired?: true;
  /** What holds when it is empty. */
  readonly usual?: string | (() => string);
  /** What it begins with in the form that adds a provider. */
  readonly initial?: string | true;
  readonly maxLength?: number;
  readonly length?: number;
  readonly choices?: readonly ProviderChoice[];
  /** Kinds of files. */
  readonly accept?: string;
  /** Shown only while another field has one of these values. */
  readonly onlyIf?: readonly [name: string, ...values: readonly string[]];
  /** Not a field of the contract: it decides which one is sent. */
  readonly isSelector?: true;
}

const clientId = {
  name: "clientId",
  kind: "text",
  label: "settings.providers.clientId",
  isRequired: true,
  maxLength: 200,
} as const satisfies ProviderField;

const secretOf = (name: string, label: TextKey, maxLength: number): ProviderField => ({
  name,
  kind: "secret",
  label,
  hintOfChange: name === "bindPassword" ? "settings.mail.password.keep" : "provider.secret.keep",
  isRequired: true,
  maxLength,
});
const clientSecret = secretOf("clientSecret", "settings.providers.secret", 200);
const longSecret = secretOf("clientSecret", "settings.providers.secret", 1000);

const scopes = (usual: string): ProviderField => ({
  name: "scopes",
  kind: "words",
  label: "settings.mail.scopes",
  hint: "settings.mail.scopes.hint",
  usual,
});
const openIdScopes = scopes("openid profile email");
const githubScopes = scopes("read:user user:email");

const addressOf = (name: string, label: TextKey, hint?: TextKey): ProviderField => ({
  name,
  kind: "address",
  label,
  ...(hint !== undefined && { hint }),
  isRequired: true,
  maxLength: 200,
});
const issuer = addressOf("issuer", "settings.providers.issuer");
const endpoints = [
  addressOf("authorizationEndpoint", "provider.authorizationEndpoint"),
  addressOf("tokenEndpoint", "settings.mail.tokenEndpoint"),
  addressOf("userEndpoint", "provider.userEndpoint"),
] as const;
const usePkce = {
  name: "usePkce",
  kind: "flag",
  label: "provider.pkce",
  initial: true,
} as const satisfies ProviderField;

const required = (name: string, label: TextKey, hint?: TextKey): ProviderField => ({
  name,
  kind: "text",
  label,
  ...(hint !== undefined && { hint }),
  isRequired: true,
  maxLength: 200,
});
const lines = (name: string, label: TextKey, hint: TextKey): ProviderField => ({
  name,
  kind: "lines",
  label,
  hint,
  isRequired: true,
});

const ldapFields: readonly ProviderField[] = [
  lines("servers", "provider.servers", "provider.servers.hint"),
  { name: "startTls", kind: "flag", label: "provider.startTls", hint: "provider.startTls.hint" },
  {
    name: "rootCa",
    kind: "file",
    label: "provider.rootCa",
    hint: "provider.rootCa.hint",
    accept: ".pem,.crt,.cer,application/x-pem-file",
  },
  required("bindDn", "provider.bindDn", "provider.bindDn.hint"),
  secretOf("bindPassword", "provider.bindPassword", 200),
  required("baseDn", "provider.baseDn", "provider.baseDn.hint"),
  lines("userObjectClasses", "provider.userClasses", "provider.userClasses.hint"),
  lines("userFilters", "provider.userFilters", "provider.userFilters.hint"),
  { ...required("userBase", "provider.userBase", "provider.userBase.hint"), initial: "dn" },
  { name: "timeout", kind: "seconds", label: "automation.timeout", usual: "5" },
];

/** The field of every provider. */
export const nameField: ProviderField = {
  name: "name",
  kind: "text",
  label: "settings.providers.name",
  hint: "settings.providers.name.hint",
  isRequired: true,
  maxLength: 200,
};

const attribute = (name: string, label: TextKey): ProviderField => ({
  name: `attributes.${name}Attribute`,
  kind: "text",
  label,
  maxLength: 200,
});

/** The attributes of a directory that fill the fields of a user. */
export const attributeFields: readonly ProviderField[] = [
  { ...attribute("id", "provider.entryId"), hint: "provider.entryId.hint", isRequired: true },
  attribute("preferredUsername", "user.username"),
  attribute("firstName", "user.givenName"),
  attribute("lastName", "user.familyName"),
  attribute("displayName", "user.displayName"),
  attribute("nickName", "user.nickName"),
  attribute("email", "user.email"),
  attribute("emailVerified", "provider.emailIsVerified"),
  attribute("phone", "user.phone"),
  attribute("phoneVerified", "provider.phoneIsVerified"),
  attribute("preferredLanguage", "user.language"),
  attribute("avatarUrl", "provider.avatarUrl"),
  attribute("profile", "user.profile.title"),
];

/** The value of the choice of a tenant by its id. */
export const oneTenant = "one";

const azureFields: readonly ProviderField[] = [
  {
    name: "tenantType",
    kind: "choice",
    label: "provider.tenant",
    isSelector: true,
    choices: [
      [String(AzureADTenantType.AZURE_AD_TENANT_TYPE_COMMON), "provider.tenant.common"],
      [String(AzureADTenantType.AZURE_AD_TENANT_TYPE_ORGANISATIONS), "provider.tenant.organizations"],
      [String(AzureADTenantType.AZURE_AD_TENANT_TYPE_CONSUMERS), "provider.tenant.consumers"],
      [oneTenant, "provider.tenant.one"],
    ],
  },
  // The contract names it after the message.
  { ...required("tenant", "provider.tenantId"), onlyIf: ["tenantType", oneTenant], isSelector: true },
  {
    name: "emailVerified",
    kind: "flag",
    label: "provider.emailVerified",
    hint: "provider.emailVerified.hint",
    onlyIf: ["tenantType", oneTenant],
  },
];

// A provider that chooses the format may send transient ones.
const manyNameIds = [
  String(SAMLNameIDFormat.SAML_NAME_ID_FORMAT_TRANSIENT),
  String(SAMLNameIDFormat.SAML_NAME_ID_FORMAT_UNSPECIFIED),
] as const;

const samlFields: readonly ProviderField[] = [
  {
    name: "metadataSource",
    kind: "choice",
    label: "application.saml.source",
    isSelector: true,
    choices: [
      ["metadataUrl", "application.saml.source.url"],
      ["metadataXml", "application.saml.source.file"],
    ],
  },
  {
    ...addressOf("metadataUrl", "application.saml.metadataUrl"),
    onlyIf: ["metadataSource", "metadataUrl"],
    isSelector: true,
  },
  {
    name: "metadataXml",
    kind: "file",
    label: "settings.providers.metadata",
    accept: ".xml,application/xml,text/xml,application/samlmetadata+xml",
    isRequired: true,
    onlyIf: ["metadataSource", "metadataXml"],
    isSelector: true,
  },
  {
    name: "nameIdFormat",
    kind: "choice",
    label: "provider.nameId",
    hint: "provider.nameId.hint",
    initial: String(SAMLNameIDFormat.SAML_NAME_ID_FORMAT_PERSISTENT),
    choices: [
      [String(SAMLNameIDFormat.SAML_NAME_ID_FORMAT_PERSISTENT), { name: "persistent" }],
      [String(SAMLNameIDFormat.SAML_NAME_ID_FORMAT_EMAIL_ADDRESS), { name: "emailAddress" }],
      [String(SAMLNameIDFormat.SAML_NAME_ID_FORMAT_TRANSIENT), { name: "transient" }],
      [String(SAMLNameIDFormat.SAML_NAME_ID_FORMAT_UNSPECIFIED), "provider.nameId.any"],
    ],
  },
  {
    name: "transientMappingAttributeName",
    kind: "text",
    label: "provider.transientAttribute",
    maxLength: 200,
    onlyIf: ["nameIdFormat", ...manyNameIds],
  },
  {
    name: "binding",
    kind: "choice",
    label: "provider.binding",
    choices: [
      [String(SAMLBinding.SAML_BINDING_UNSPECIFIED), "provider.binding.metadata"],
      [String(SAMLBinding.SAML_BINDING_REDIRECT), { name: "HTTP-Redirect" }],
      [String(SAMLBinding.SAML_BINDING_POST), { name: "HTTP-POST" }],
    ],
  },
  { name: "withSignedRequest", kind: "flag", label: "provider.signRequests", hint: "provider.signRequests.hint" },
  {
    name: "signatureAlgorithm",
    kind: "choice",
    label: "provider.signature",
    hint: "provider.signature.hint",
    choices: [
      [String(SAMLSignatureAlgorithm.SAML_SIGNATURE_UNSPECIFIED), "form.usual"],
      [String(SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA256), { name: "RSA-SHA256" }],
      [String(SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA512), { name: "RSA-SHA512" }],
      [String(SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA1), { name: "RSA-SHA1" }],
    ],
  },
  { name: "federatedLogoutEnabled", kind: "flag", label: "provider.federatedLogout" },
];

/** The fields of each kind, in the order of its form. */
export const fieldsOf: Readonly<Record<ProviderKind, readonly ProviderField[]>> = {
  google: [clientId, clientSecret, openIdScopes],
  azureAd: [clientId, clientSecret, ...azureFields, scopes("openid profile email User.Read")],
  apple: [
    { ...clientId, label: "provider.servicesId" },
    { name: "teamId", kind: "text", label: "provider.teamId", isRequired: true, length: 10 },
    { name: "keyId", kind: "text", label: "provider.keyId", isRequired: true, length: 10 },
    {
      name: "privateKey",
      kind: "key",
      label: "provider.privateKey",
      hintOfChange: "provider.secret.keep",
      accept: ".p8,.pem",
      isRequired: true,
    },
    scopes("openid name email"),
  ],
  github: [clientId, clientSecret, githubScopes],
  githubEs: [...endpoints, clientId, clientSecret, githubScopes],
  gitlab: [clientId, clientSecret, openIdScopes],
  gitlabSelfHosted: [issuer, clientId, clientSecret, openIdScopes],
  oidc: [
    issuer,
    clientId,
    longSecret,
    openIdScopes,
    usePkce,
    { name: "isIdTokenMapping", kind: "flag", label: "provider.idTokenOnly", hint: "provider.idTokenOnly.hint" },
  ],
  oauth: [
    ...endpoints,
    clientId,
    longSecret,
    scopes(""),
    required("idAttribute", "provider.idAttribute", "provider.idAttribute.hint"),
    usePkce,
  ],
  jwt: [
    required("issuer", "settings.providers.issuer"),
    addressOf("jwtEndpoint", "provider.jwtEndpoint", "provider.jwtEndpoint.hint"),
    addressOf("keysEndpoint", "provider.keysEndpoint"),
    required("headerName", "provider.headerName"),
    {
      name: "audience",
      kind: "text",
      label: "provider.audience",
      maxLength: 200,
      usual: () => readEnvironment().origin,
    },
  ],
  ldap: ldapFields,
  saml: samlFields,
};

/** All fields of a kind that are fields of the contract, with those of a directory's attributes. */
export const contractFieldsOf = (kind: ProviderKind): readonly ProviderField[] => [
  ...fieldsOf[kind].filter(({ isSelector }) => isSelector !== true),
  ...(kind === "ldap" ? attributeFields : []),
];
