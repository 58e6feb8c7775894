import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SecurityPolicySchema } from "@doorward/api/service/settings/v1/settings_pb";
import type {
  ClientIDMetadataDocumentSettingsSchema,
  DynamicClientRegistrationSettingsSchema,
  EmbeddedIframeSettingsSchema,
  SecuritySettingsSchema,
} from "@doorward/api/service/settings/v2/security_pb";
import type { SecuritySettings } from "../../domain/settings/index.ts";
import { type FieldsOf, fieldsIn } from "./fields.ts";
import { flag, seconds, smallCount, texts, unlessEmpty, unlessZero } from "./kinds.ts";

type Policy = MessageInitShape<typeof SecurityPolicySchema>;

const frame = fieldsIn<MessageInitShape<typeof EmbeddedIframeSettingsSchema>, Policy>();

/** Sites that may embed the login, in the contract: a record in version 2, members of the policy in version 1. */
export const frameFields = {
  enabled: frame.both("enabled", "enableIframeEmbedding", flag),
  allowedOrigins: frame.both("allowedOrigins", "allowedOrigins", texts),
} satisfies FieldsOf<SecuritySettings["embeddedIframe"]>;

const registration = fieldsIn<MessageInitShape<typeof DynamicClientRegistrationSettingsSchema>>();

/** Dynamic client registration, in the contract. */
export const registrationFields = {
  enabled: registration.onlyV2("enabled", flag),
  allowUnauthenticated: registration.onlyV2("allowUnauthenticated", flag),
  maximumUnused: registration.onlyV2("maxUnusedClients", unlessZero(smallCount)),
  maximumUnusedPerSource: registration.onlyV2("maxUnusedClientsPerSource", unlessZero(smallCount)),
  unusedLifetimeSeconds: registration.onlyV2("unusedClientLifetime", unlessZero(seconds)),
} satisfies FieldsOf<SecuritySettings["dynamicClientRegistration"]>;

const document = fieldsIn<MessageInitShape<typeof ClientIDMetadataDocumentSettingsSchema>>();

/** Client id metadata documents, in the contract. */
export const documentFields = {
  enabled: document.onlyV2("enabled", flag),
  allowedUrls: document.onlyV2("allowedUrls", texts),
  allowAnyUrl: document.onlyV2("allowAnyUrl", flag),
} satisfies FieldsOf<SecuritySettings["clientIdMetadataDocument"]>;

const security = fieldsIn<MessageInitShape<typeof SecuritySettingsSchema>, Policy>();

/** The security settings that are not records of their own. */
export type PlainSecuritySettings = Omit<
  SecuritySettings,
  "embeddedIframe" | "dynamicClientRegistration" | "clientIdMetadataDocument"
>;

/** Security settings in the contract. Version 1 has no members for the newer ones. */
export const securityFields = {
  enableImpersonation: security.both("enableImpersonation", "enableImpersonation", flag),
  skipConsentAcrossOrganizations: security.onlyV2("skipConsentAcrossOrganizations", flag),
  claimNamespaces: security.onlyV2("claimNamespaces", unlessEmpty),
} satisfies FieldsOf<PlainSecuritySettings>;
