import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  SAMLAttributeSource,
  SAMLNameID,
  type SAMLOptions,
  type SAMLOptionsSchema,
} from "@doorward/api/service/application/v2/saml_pb";
import { t } from "../../text/catalogue.ts";

/** What a service provider is told of users, as a form has it. */
interface OptionValues {
  nameId: string;
  attributes: { name: string; friendlyName: string; source: string; metadataEntry: string }[];
  encryptAssertions: boolean;
  requireSignedRequests: boolean;
  allowIdpInitiated: boolean;
}

type Choices = readonly (readonly [value: string, label: string])[];

/** The identifiers of users, in words. */
export const nameIdChoices = (): Choices => [
  [String(SAMLNameID.SAML_NAME_ID_REQUESTED), t("application.saml.nameId.requested")],
  [String(SAMLNameID.SAML_NAME_ID_EMAIL_ADDRESS), t("application.saml.nameId.email")],
  [String(SAMLNameID.SAML_NAME_ID_PERSISTENT), t("application.saml.nameId.persistent")],
  [String(SAMLNameID.SAML_NAME_ID_TRANSIENT), t("application.saml.nameId.transient")],
  [String(SAMLNameID.SAML_NAME_ID_USER_ID), t("application.saml.nameId.userId")],
];

/** Value of a source that has a field of its own: an entry of the user's metadata. */
export const metadataSource = String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_METADATA);

/** Where values of attributes come from, in words. */
export const sourceChoices = (): Choices => [
  [String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_EMAIL), t("application.saml.from.email")],
  [String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_GIVEN_NAME), t("application.saml.from.givenName")],
  [String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_FAMILY_NAME), t("application.saml.from.familyName")],
  [String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_DISPLAY_NAME), t("application.saml.from.displayName")],
  [String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_NICK_NAME), t("application.saml.from.nickName")],
  [String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_LOGIN_NAME), t("application.saml.from.loginName")],
  [String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_USER_ID), t("application.saml.from.userId")],
  [String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_ORGANIZATION_ID), t("application.saml.from.organizationId")],
  [String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_PREFERRED_LANGUAGE), t("application.saml.from.language")],
  [String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_PHONE), t("application.saml.from.phone")],
  [String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_ROLES), t("application.saml.from.roles")],
  [metadataSource, t("application.saml.from.metadata")],
];

/** An attribute that was just added. */
export const newAttribute = {
  name: "",
  friendlyName: "",
  source: String(SAMLAttributeSource.SAML_ATTRIBUTE_SOURCE_EMAIL),
  metadataEntry: "",
};

/** Returns the values of a form from a message of the contract. */
export const optionValues = (options: SAMLOptions | undefined): OptionValues => ({
  nameId: String(options?.nameId || SAMLNameID.SAML_NAME_ID_REQUESTED),
  attributes: (options?.attributes?.attributes ?? []).map(({ name, friendlyName, source, metadataEntry }) => ({
    name,
    friendlyName,
    source: String(source),
    metadataEntry,
  })),
  encryptAssertions: options?.encryptAssertions === true,
  requireSignedRequests: options?.requireSignedRequests === true,
  allowIdpInitiated: options?.allowIdpInitiated === true,
});

/** Returns a message of the contract from the values of a form. */
export const toOptions = ({
  nameId,
  attributes,
  ...flags
}: OptionValues): MessageInitShape<typeof SAMLOptionsSchema> => ({
  ...flags,
  nameId: Number(nameId) as SAMLNameID,
  attributes: {
    attributes: attributes.map(({ name, friendlyName, source, metadataEntry }) => ({
      name: name.trim(),
      friendlyName: friendlyName.trim(),
      source: Number(source) as SAMLAttributeSource,
      metadataEntry: source === metadataSource ? metadataEntry.trim() : "",
    })),
  },
});
