import type { Binding } from "../contract/index.ts";
import { brandingMethods } from "../domain/branding/branding.rpc.ts";
import { adminPolicyMethods } from "../domain/settings/admin-policy.rpc.ts";
import { appearanceMethods } from "../domain/settings/appearance.rpc.ts";
import { customLoginTextMethods } from "../domain/settings/custom-login-text.rpc.ts";
import { domainPolicyMethods } from "../domain/settings/domain-policy.rpc.ts";
import { instanceDefaultMethods } from "../domain/settings/instance-defaults.rpc.ts";
import { linkSettingsMethods } from "../domain/settings/link-settings.rpc.ts";
import type { LoginProviders } from "../domain/settings/login-providers.rpc.ts";
import { loginTranslationMethods } from "../domain/settings/login-translation.rpc.ts";
import { managementPolicyMethods } from "../domain/settings/management-policy.rpc.ts";
import { organizationSettingsMethods } from "../domain/settings/organization-settings.rpc.ts";
import { ownPolicyMethods } from "../domain/settings/own-policy.rpc.ts";
import { secretGeneratorMethods } from "../domain/settings/secret-generator.rpc.ts";
import { securityPolicyMethods } from "../domain/settings/security-policy.rpc.ts";
import { securitySettingsMethods } from "../domain/settings/security-settings.rpc.ts";
import { settingsMethods } from "../domain/settings/settings.rpc.ts";
import { renameLoginNames } from "../domain/user/index.ts";
import type { Domain } from "./domain.ts";
import { createBuiltInTexts, createFindSettingsOwner } from "./settings-deps.ts";

/** Returns the methods for settings, of both generations of the API. */
export const createSettingsBindings = (domain: Domain, loginProviders: LoginProviders): Binding[] => [
  settingsMethods(domain),
  securitySettingsMethods(domain),
  securityPolicyMethods(domain),
  ownPolicyMethods({ ...domain, loginProviders }),
  appearanceMethods({ ...domain, loginProviders }),
  ...brandingMethods(domain),
  managementPolicyMethods({ ...domain, loginProviders }),
  adminPolicyMethods({ ...domain, loginProviders }),
  domainPolicyMethods({ ...domain, renameLoginNames }),
  instanceDefaultMethods(domain),
  secretGeneratorMethods(domain),
  linkSettingsMethods({ ...domain, findSettingsOwner: createFindSettingsOwner(domain) }),
  organizationSettingsMethods(domain),
  loginTranslationMethods({ ...domain, builtInTexts: createBuiltInTexts(domain) }),
  ...customLoginTextMethods({ ...domain, builtInTexts: createBuiltInTexts(domain) }),
];
