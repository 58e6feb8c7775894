import type { TextKey } from "../../text/catalogue.ts";
import { documentsOf } from "./documents.ts";

interface SettingsLink {
  readonly to: string;
  readonly title: TextKey;
  readonly lead: TextKey;
}

/** Returns the pages of settings that the instance has, or an organization. */
export const settingsLinks = (isInstance: boolean): readonly SettingsLink[] => [
  ...documentsOf(isInstance).map(({ path, title, lead }) => ({ to: `/settings/${path}`, title, lead })),
  ...everywhere,
  ...(isInstance ? ofInstance : []),
];

const everywhere: readonly SettingsLink[] = [
  { to: "/settings/branding", title: "appearance.branding", lead: "appearance.branding.lead" },
  { to: "/settings/texts", title: "appearance.texts", lead: "appearance.texts.lead" },
  { to: "/settings/providers", title: "settings.providers", lead: "settings.providers.lead" },
];

const ofInstance: readonly SettingsLink[] = [
  { to: "/settings/languages", title: "appearance.languages", lead: "appearance.languages.lead" },
  { to: "/settings/mail", title: "settings.mail", lead: "settings.mail.lead" },
  { to: "/settings/sms", title: "settings.sms", lead: "settings.sms.lead" },
  { to: "/settings/codes", title: "settings.codes", lead: "settings.codes.lead" },
  { to: "/settings/features", title: "settings.features", lead: "settings.features.lead" },
  { to: "/settings/keys", title: "settings.keys", lead: "settings.keys.lead" },
  { to: "/settings/saml-keys", title: "settings.saml", lead: "settings.saml.lead" },
];
