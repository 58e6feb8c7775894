import { urlOfAsset } from "../../../domain/branding/index.ts";
import {
  activeBranding,
  type Branding,
  type SecuritySettings,
  type SettingsDocuments,
  type SettingsKind,
  settingsKinds,
} from "../../../domain/settings/index.ts";
import { brandingFields, darkThemeFields, lightThemeFields } from "../../settings/branding-fields.ts";
import { domainFields } from "../../settings/domain-fields.ts";
import { type FieldsOf, writeFields } from "../../settings/fields.ts";
import { legalSupportFields } from "../../settings/legal-support-fields.ts";
import { lockoutFields } from "../../settings/lockout-fields.ts";
import { loginFields } from "../../settings/login-fields.ts";
import { type MaskedField, maskedFields } from "../../settings/masked-fields.ts";
import { notificationFields } from "../../settings/notification-fields.ts";
import { oidcFields } from "../../settings/oidc-fields.ts";
import { passwordComplexityFields, passwordExpiryFields } from "../../settings/password-fields.ts";
import {
  documentFields,
  frameFields,
  type PlainSecuritySettings,
  registrationFields,
  securityFields,
} from "../../settings/security-fields.ts";
import type { SettingsDocument } from "./settings-document.ts";

const fieldsOf = (
  kind: SettingsKind,
  table: object,
  records?: Parameters<typeof maskedFields>[2],
): readonly MaskedField[] => maskedFields(table, settingsKinds[kind].defaults, records);

/** Returns a kind with the type of its message, which the methods must have. */
const document = <Kind extends SettingsKind, Message extends object>(
  found: SettingsDocument<Kind, Message>,
): SettingsDocument<Kind, Message> => found;

/** Returns a kind whose message has nothing but the fields of a table. */
const plain = <Kind extends SettingsKind, Fields extends FieldsOf<SettingsDocuments[Kind]>>(
  kind: Kind,
  fields: Fields,
) =>
  document({
    kind,
    fields: fieldsOf(kind, fields),
    toMessage: (settings: SettingsDocuments[Kind]) =>
      writeFields<SettingsDocuments[Kind], Fields, "v2">(fields, "v2", settings),
  });

/** Every document that version 2 reads and changes by field masks. */
export const documents = {
  login: document({
    kind: "login",
    fields: fieldsOf("login", loginFields),
    toMessage(settings) {
      const message = writeFields(loginFields, "v2", settings);
      // The deprecated name of the same field.
      return { ...message, allowUsernamePassword: message.allowLocalAuthentication };
    },
  }),
  passwordComplexity: plain("password_complexity", passwordComplexityFields),
  passwordExpiry: plain("password_expiry", passwordExpiryFields),
  lockout: plain("lockout", lockoutFields),
  domain: plain("domain", domainFields),
  legalSupport: plain("legal_support", legalSupportFields),
  notification: plain("notification", notificationFields),
  oidc: plain("oidc", oidcFields),
  security: document({
    kind: "security",
    fields: fieldsOf("security", securityFields, {
      embeddedIframe: ["embeddedIframe", frameFields],
      dynamicClientRegistration: ["dynamicClientRegistration", registrationFields],
      clientIdMetadataDocument: ["clientIdMetadataDocument", documentFields],
    }),
    toMessage: toSecurityMessage,
  }),
};

/** Returns the document of the look: its answers have addresses of uploads. */
export const brandingDocument = (deps: { readonly originOf: (instanceId: string) => Promise<string> }) =>
  document({
    kind: "branding",
    fields: fieldsOf("branding", brandingFields, {
      lightTheme: ["lightTheme", lightThemeFields],
      darkTheme: ["darkTheme", darkThemeFields],
    }),
    toMessage: async (settings, instanceId) =>
      toBrandingMessage(activeBranding(settings), await deps.originOf(instanceId)),
  });

function toSecurityMessage(settings: SecuritySettings) {
  return {
    ...writeFields<PlainSecuritySettings, typeof securityFields, "v2">(securityFields, "v2", settings),
    embeddedIframe: writeFields(frameFields, "v2", settings.embeddedIframe),
    dynamicClientRegistration: writeFields(registrationFields, "v2", settings.dynamicClientRegistration),
    clientIdMetadataDocument: writeFields(documentFields, "v2", settings.clientIdMetadataDocument),
  };
}

const toBrandingMessage = ({ lightTheme, darkTheme, assets, ...branding }: Branding, origin: string) => ({
  ...writeFields(brandingFields, "v2", branding),
  lightTheme: {
    ...writeFields(lightThemeFields, "v2", lightTheme),
    logoUrl: urlOfAsset(origin, assets, "logo"),
    iconUrl: urlOfAsset(origin, assets, "icon"),
  },
  darkTheme: {
    ...writeFields(darkThemeFields, "v2", darkTheme),
    logoUrl: urlOfAsset(origin, assets, "logoDark"),
    iconUrl: urlOfAsset(origin, assets, "iconDark"),
  },
  fontUrl: urlOfAsset(origin, assets, "font"),
});
