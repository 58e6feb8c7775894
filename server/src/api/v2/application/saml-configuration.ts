import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  SAMLAttributeSource,
  type SAMLConfigurationSchema,
  SAMLNameID,
  type SAMLOptions,
} from "@doorward/api/service/application/v2/saml_pb";
import { Fault } from "../../../base/fault.ts";
import type { SamlApplication } from "../../../domain/application/index.ts";
import type {
  MetadataSource,
  SamlAttribute,
  SamlConfiguration,
  SamlNameId,
  SamlOptions,
  SamlAttributeSource as Source,
} from "../../../domain/saml-configuration/index.ts";
import { toTimestamp } from "../../contract/index.ts";
import { toLoginVersion, toWireLoginVersion, type WireLoginVersion } from "./login-version.ts";

/** The part of requests that says where the metadata is, in both versions. */
type WireMetadata =
  | { readonly case: "metadataXml"; readonly value: Uint8Array }
  | { readonly case: "metadataUrl"; readonly value: string }
  | { readonly case: undefined; readonly value?: undefined };

/** What both versions say of a SAML application in a request. */
export interface WireSaml {
  readonly metadata: WireMetadata;
  readonly loginVersion?: WireLoginVersion | undefined;
  readonly options?: SAMLOptions | undefined;
}

/** Returns where the metadata is; undefined when a request does not say, or leaves it empty. */
export function toMetadataSource({ metadata }: Pick<WireSaml, "metadata">): MetadataSource | undefined {
  switch (metadata.case) {
    case "metadataXml":
      return metadata.value.length === 0 ? undefined : { xml: metadata.value };
    case "metadataUrl":
      return metadata.value === "" ? undefined : { url: metadata.value };
    case undefined:
      return undefined;
    default:
      return metadata satisfies never;
  }
}

/** Returns the same for a new application, which needs it. */
export function requireMetadataSource(wire: Pick<WireSaml, "metadata">): MetadataSource {
  const source = toMetadataSource(wire);
  if (source === undefined) throw new Fault("invalid_argument", "application.metadata_missing", { field: "metadata" });
  return source;
}

/** Returns what a request says besides the metadata; what it leaves out is absent. */
export function fromWireOptions({ loginVersion, options }: WireSaml): Partial<SamlOptions> {
  const nameId = options && nameIds.get(options.nameId);
  const attributes = options?.attributes?.attributes.map(({ name, friendlyName, source, metadataEntry }) => ({
    name,
    friendlyName,
    source: toSource(source),
    metadataKey: metadataEntry,
  }));
  return {
    ...(loginVersion !== undefined && { loginVersion: toLoginVersion(loginVersion) }),
    ...(nameId !== undefined && { nameId }),
    ...(attributes !== undefined && { attributes }),
    ...(options?.encryptAssertions !== undefined && { isEncrypted: options.encryptAssertions }),
    ...(options?.requireSignedRequests !== undefined && { isSignatureRequired: options.requireSignedRequests }),
    ...(options?.allowIdpInitiated !== undefined && { isIdpInitiatedAllowed: options.allowIdpInitiated }),
  };
}

function toSource(wire: SAMLAttributeSource): Source {
  const source = sources.get(wire);
  if (source !== undefined) return source;
  const field = "options.attributes.attributes";
  throw new Fault("invalid_argument", "application.attributes_invalid", { field });
}

const nameIds: ReadonlyMap<SAMLNameID, SamlNameId> = new Map([
  [SAMLNameID.SAML_NAME_ID_REQUESTED, "requested"],
  [SAMLNameID.SAML_NAME_ID_EMAIL_ADDRESS, "email_address"],
  [SAMLNameID.SAML_NAME_ID_PERSISTENT, "persistent"],
  [SAMLNameID.SAML_NAME_ID_TRANSIENT, "transient"],
  [SAMLNameID.SAML_NAME_ID_USER_ID, "user_id"],
]);

const sources: ReadonlyMap<SAMLAttributeSource, Source> = new Map([
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_EMAIL, "email"],
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_GIVEN_NAME, "given_name"],
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_FAMILY_NAME, "family_name"],
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_DISPLAY_NAME, "display_name"],
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_NICK_NAME, "nick_name"],
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_LOGIN_NAME, "login_name"],
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_USER_ID, "user_id"],
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_ORGANIZATION_ID, "organization_id"],
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_PREFERRED_LANGUAGE, "preferred_language"],
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_PHONE, "phone"],
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_ROLES, "roles"],
  [SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_METADATA, "metadata"],
]);

const keyOf = <Key, Value>(entries: ReadonlyMap<Key, Value>, value: Value): Key | undefined =>
  [...entries].find(([, each]) => each === value)?.[0];

/** Returns what both versions say of a SAML application besides the metadata itself. */
export function toWireSaml({ configuration }: Pick<SamlApplication, "configuration">) {
  const { partner, metadataAt, metadataFailure, loginVersion } = configuration;
  return {
    ...toWireLoginVersion(loginVersion),
    options: toWireOptions(configuration),
    entityId: partner.entityId,
    metadataDate: toTimestamp(metadataAt),
    metadataFailure,
  };
}

const toWireOptions = (configuration: SamlConfiguration) => ({
  nameId: keyOf(nameIds, configuration.nameId) ?? SAMLNameID.SAML_NAME_ID_UNSPECIFIED,
  attributes: { attributes: configuration.attributes.map(toWireAttribute) },
  encryptAssertions: configuration.isEncrypted,
  requireSignedRequests: configuration.isSignatureRequired,
  allowIdpInitiated: configuration.isIdpInitiatedAllowed,
});

const toWireAttribute = ({ name, friendlyName, source, metadataKey }: SamlAttribute) => ({
  name,
  friendlyName,
  source: keyOf(sources, source) ?? SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_UNSPECIFIED,
  metadataEntry: metadataKey,
});

/** Returns a SAML application's configuration for version 2. */
export const toWireSamlConfiguration = (
  application: Pick<SamlApplication, "configuration">,
): MessageInitShape<typeof SAMLConfigurationSchema> => ({
  ...toWireSaml(application),
  metadataXml: Buffer.from(application.configuration.metadataXml, "utf8"),
  metadataUrl: application.configuration.metadataUrl,
});
