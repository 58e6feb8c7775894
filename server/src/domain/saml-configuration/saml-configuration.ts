import type { Instant } from "../../base/clock.ts";
import { nameIdFormats } from "../../base/saml/index.ts";
import type { LoginVersion } from "../oidc-configuration/index.ts";

/** How a service provider identifies users. `requested`: as it asks, otherwise by the login name. */
export type SamlNameId = "requested" | "email_address" | "persistent" | "transient" | "user_id";

/** Where the values of an attribute come from. */
export type SamlAttributeSource =
  | "email"
  | "given_name"
  | "family_name"
  | "display_name"
  | "nick_name"
  | "login_name"
  | "user_id"
  | "organization_id"
  | "preferred_language"
  | "phone"
  | "roles"
  | "metadata";

/** An attribute of assertions. */
export interface SamlAttribute {
  readonly name: string;
  /** Empty for none. */
  readonly friendlyName: string;
  readonly source: SamlAttributeSource;
  /** Key of the user's metadata, for that source; empty for all others. */
  readonly metadataKey: string;
}

/** An address at which the service provider takes assertions. Only the binding HTTP-POST is supported. */
export interface AssertionConsumer {
  readonly location: string;
  readonly index: number;
  readonly isDefault: boolean;
}

/** An address for messages about the end of sessions. */
export interface LogoutEndpoint {
  readonly binding: "redirect" | "post" | "soap";
  readonly location: string;
  /** Where responses go, when that is another address. */
  readonly responseLocation?: string;
}

/** A service provider, as its metadata describes it. */
export interface SamlPartner {
  readonly entityId: string;
  /** Until when the metadata is valid; undefined without an end. */
  readonly validUntil?: Instant;
  /** Whether it says that it signs its requests. */
  readonly isRequestSigned: boolean;
  /** In the order of preference: the default first. */
  readonly consumers: readonly AssertionConsumer[];
  readonly logout: readonly LogoutEndpoint[];
  readonly nameIdFormats: readonly string[];
  /** Certificates (DER in base64) by which its signatures are verified. */
  readonly signingCertificates: readonly string[];
  /** Certificates for which assertions can be encrypted. */
  readonly encryptionCertificates: readonly string[];
}

/** The configuration of a SAML application. */
export interface SamlConfiguration {
  readonly metadataXml: string;
  /** Where the metadata is fetched from; empty when it was uploaded. */
  readonly metadataUrl: string;
  /** When the metadata was uploaded or fetched. */
  readonly metadataAt: Instant;
  /** Why the metadata could not be fetched again the last time; empty when it could. */
  readonly metadataFailure: string;
  readonly partner: SamlPartner;
  readonly loginVersion: LoginVersion;
  readonly nameId: SamlNameId;
  /** Empty for the basic ones. */
  readonly attributes: readonly SamlAttribute[];
  readonly isEncrypted: boolean;
  /** Also when the metadata does not promise it. */
  readonly isSignatureRequired: boolean;
  readonly isIdpInitiatedAllowed: boolean;
  /** Random, so that persistent identifiers say nothing about the user. Never shown. */
  readonly nameIdSalt: string;
}

/** What administrators decide besides the metadata. */
export type SamlOptions = Pick<
  SamlConfiguration,
  "loginVersion" | "nameId" | "attributes" | "isEncrypted" | "isSignatureRequired" | "isIdpInitiatedAllowed"
>;

export const defaultSamlOptions: SamlOptions = {
  loginVersion: { kind: "unspecified" },
  nameId: "requested",
  attributes: [],
  isEncrypted: false,
  isSignatureRequired: false,
  isIdpInitiatedAllowed: false,
};

/** The attributes of applications that name none. */
const basicAttributes: readonly SamlAttribute[] = (
  [
    ["Email", "email"],
    ["SurName", "family_name"],
    ["FirstName", "given_name"],
    ["FullName", "display_name"],
    ["UserName", "login_name"],
    ["UserID", "user_id"],
  ] as const
).map(([name, source]) => ({ name, friendlyName: "", source, metadataKey: "" }));

/** Returns the attributes of assertions for an application. */
export const attributesOf = ({ attributes }: Pick<SamlConfiguration, "attributes">): readonly SamlAttribute[] =>
  attributes.length === 0 ? basicAttributes : attributes;

const kinds: ReadonlyMap<string, Exclude<SamlNameId, "requested">> = new Map([
  [nameIdFormats.emailAddress, "email_address"],
  [nameIdFormats.persistent, "persistent"],
  [nameIdFormats.transient, "transient"],
]);

/**
 * Returns how users are identified in the answer to a request that names a format, or none. Without a wish in the
 * request, the first that the metadata lists and that we have.
 */
export function nameIdKindOf(
  { nameId, partner }: Pick<SamlConfiguration, "nameId" | "partner">,
  requestedFormat: string | undefined,
): Exclude<SamlNameId, "requested"> {
  if (nameId !== "requested") return nameId;
  const wanted = requestedFormat === undefined ? partner.nameIdFormats : [requestedFormat];
  return wanted.flatMap((format) => kinds.get(format) ?? [])[0] ?? "email_address";
}

/**
 * Returns the scope that an OpenID Connect client would need for what the answer to a request says by this
 * configuration: what the user consents to, where they are asked. The name identifier is part of that where it is the
 * login name.
 */
export function scopeOfAssertions(
  configuration: Pick<SamlConfiguration, "attributes" | "nameId" | "partner">,
  requestedFormat: string | undefined,
): string {
  const sources = new Set(attributesOf(configuration).map(({ source }) => source));
  const has = (...of: readonly SamlAttributeSource[]): boolean => of.some((source) => sources.has(source));
  return [
    "openid",
    ...(nameIdKindOf(configuration, requestedFormat) === "email_address" ||
    has("given_name", "family_name", "display_name", "nick_name", "login_name", "preferred_language")
      ? ["profile"]
      : []),
    ...(has("email") ? ["email"] : []),
    ...(has("phone") ? ["phone"] : []),
    ...(has("metadata") ? ["urn:service:iam:user:metadata"] : []),
    ...(has("organization_id") ? ["urn:service:iam:user:resourceowner"] : []),
    ...(has("roles") ? ["urn:service:iam:org:projects:roles"] : []),
  ].join(" ");
}
