import type { Details, Tx } from "../../database/index.ts";
import {
  type BrandingSettings,
  checkBrandingSettings,
  defaultBrandingSettings,
} from "./documents/branding-settings.ts";
import { type CodeSettings, checkCodeSettings, defaultCodeSettings } from "./documents/code-settings.ts";
import { type DomainSettings, defaultDomainSettings } from "./documents/domain-settings.ts";
import { checkGeneralSettings, defaultGeneralSettings, type GeneralSettings } from "./documents/general-settings.ts";
import {
  checkLegalSupportSettings,
  defaultLegalSupportSettings,
  type LegalSupportSettings,
} from "./documents/legal-support-settings.ts";
import { checkLinkSettings, defaultLinkSettings, type LinkSettings } from "./documents/link-settings.ts";
import { checkLockoutSettings, defaultLockoutSettings, type LockoutSettings } from "./documents/lockout-settings.ts";
import { checkLoginSettings, defaultLoginSettings, type LoginSettings } from "./documents/login-settings.ts";
import { defaultNotificationSettings, type NotificationSettings } from "./documents/notification-settings.ts";
import { checkOidcSettings, defaultOidcSettings, type OidcSettings } from "./documents/oidc-settings.ts";
import {
  checkPasswordComplexitySettings,
  checkPasswordExpirySettings,
  defaultPasswordComplexitySettings,
  defaultPasswordExpirySettings,
  type PasswordComplexitySettings,
  type PasswordExpirySettings,
} from "./documents/password-settings.ts";
import {
  checkSecuritySettings,
  defaultSecuritySettings,
  type SecuritySettings,
} from "./documents/security-settings.ts";
import {
  lockoutRaises,
  loginRaises,
  notificationRaises,
  passwordComplexityRaises,
  passwordExpiryRaises,
  type Raises,
} from "./raise-settings.ts";
import { refuseSignInGap } from "./refuse-sign-in-gap.ts";

/** The document of each kind of settings. */
export interface SettingsDocuments {
  readonly login: LoginSettings;
  readonly password_complexity: PasswordComplexitySettings;
  readonly password_expiry: PasswordExpirySettings;
  readonly lockout: LockoutSettings;
  readonly domain: DomainSettings;
  readonly security: SecuritySettings;
  readonly oidc: OidcSettings;
  readonly general: GeneralSettings;
  readonly branding: BrandingSettings;
  readonly legal_support: LegalSupportSettings;
  readonly links: LinkSettings;
  readonly notification: NotificationSettings;
  readonly code: CodeSettings;
}

export type SettingsKind = keyof SettingsDocuments;

interface KindRules<Document> {
  readonly defaults: Document;
  /** Whether an organization may differ from its instance. */
  readonly isForOrganizations: boolean;
  /** Only administrators of the instance read and write them, even those of an organization. */
  readonly isOfInstanceAdministrators?: boolean;
  /**
   * What holds for users of an organization who administer the instance, field by field; without it, the organization's
   * document holds for all its users.
   */
  readonly raises?: Raises<Document>;
  /** Whether the same holds for users who administer the organization. */
  readonly isRaisedForOwnAdministrators?: boolean;
  /** Throws the Fault of a document that is valid in itself and cannot hold in the scope (empty: the instance). */
  readonly checkIn?: (tx: Tx, organizationId: string, document: Document) => Promise<void>;
  /** Throws the Fault that describes what is wrong with a document. */
  readonly check: (document: Document) => void;
}

/** The rules of each kind of settings. The only list of kinds. */
export const settingsKinds: { readonly [Kind in SettingsKind]: KindRules<SettingsDocuments[Kind]> } = {
  login: {
    defaults: defaultLoginSettings,
    isForOrganizations: true,
    raises: loginRaises,
    checkIn: refuseSignInGap,
    check: checkLoginSettings,
  },
  password_complexity: {
    defaults: defaultPasswordComplexitySettings,
    isForOrganizations: true,
    raises: passwordComplexityRaises,
    check: checkPasswordComplexitySettings,
  },
  password_expiry: {
    defaults: defaultPasswordExpirySettings,
    isForOrganizations: true,
    raises: passwordExpiryRaises,
    check: checkPasswordExpirySettings,
  },
  lockout: {
    defaults: defaultLockoutSettings,
    isForOrganizations: true,
    raises: lockoutRaises,
    isRaisedForOwnAdministrators: true,
    check: checkLockoutSettings,
  },
  domain: { defaults: defaultDomainSettings, isForOrganizations: true, check: () => undefined },
  security: { defaults: defaultSecuritySettings, isForOrganizations: false, check: checkSecuritySettings },
  oidc: { defaults: defaultOidcSettings, isForOrganizations: false, check: checkOidcSettings },
  general: { defaults: defaultGeneralSettings, isForOrganizations: false, check: checkGeneralSettings },
  branding: { defaults: defaultBrandingSettings, isForOrganizations: true, check: checkBrandingSettings },
  legal_support: { defaults: defaultLegalSupportSettings, isForOrganizations: true, check: checkLegalSupportSettings },
  code: { defaults: defaultCodeSettings, isForOrganizations: false, check: checkCodeSettings },
  notification: {
    defaults: defaultNotificationSettings,
    isForOrganizations: true,
    raises: notificationRaises,
    check: () => undefined,
  },
  links: {
    defaults: defaultLinkSettings,
    isForOrganizations: true,
    isOfInstanceAdministrators: true,
    check: checkLinkSettings,
  },
};

/** Effective settings of a scope. */
export interface EffectiveSettings<Document> {
  readonly settings: Document;
  /** The owner of the document: the organization itself, or its instance. */
  readonly source: "instance" | "organization";
  /** Whether the settings of the instance made those of the organization stricter, for a user who administers it. */
  readonly isRaised?: true;
  readonly details: Details;
}
