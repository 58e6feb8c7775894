import type { Domain } from "../app/domain.ts";
import { createBuiltInTexts } from "../domain/settings/index.ts";
import { renameLoginNames } from "../domain/user/index.ts";
import type { Binding } from "./contract/index.ts";
import { adminLoginTextMethods } from "./v1/admin/settings/custom-login-text.ts";
import { domainPolicyMethods } from "./v1/admin/settings/domain-policy.ts";
import { instanceDefaultMethods } from "./v1/admin/settings/instance-defaults.ts";
import { adminLabelPolicyMethods } from "./v1/admin/settings/label-policy.ts";
import { adminPolicyMethods } from "./v1/admin/settings/policy.ts";
import { secretGeneratorMethods } from "./v1/admin/settings/secret-generator.ts";
import { securityPolicyMethods } from "./v1/admin/settings/security-policy.ts";
import { authLabelPolicyMethods } from "./v1/auth/settings/label-policy.ts";
import { authPolicyMethods } from "./v1/auth/settings/policy.ts";
import type { LoginProviders } from "./v1/common/settings/login-provider.ts";
import { managementLoginTextMethods } from "./v1/management/settings/custom-login-text.ts";
import { managementLabelPolicyMethods } from "./v1/management/settings/label-policy.ts";
import { managementPolicyMethods } from "./v1/management/settings/policy.ts";
import { appearanceMethods } from "./v2/settings/appearance.ts";
import { brandingMethods } from "./v2/settings/branding.ts";
import { createFindSettingsOwner } from "./v2/settings/find-settings-owner.ts";
import { linkSettingsMethods } from "./v2/settings/link-settings.ts";
import { loginTranslationMethods } from "./v2/settings/login-translation.ts";
import { organizationSettingsMethods } from "./v2/settings/organization-settings.ts";
import { securitySettingsMethods } from "./v2/settings/security-settings.ts";
import { settingsMethods } from "./v2/settings/settings.ts";

/** Returns the methods for settings, of both generations of the API. */
export const createSettingsBindings = (domain: Domain, loginProviders: LoginProviders): Binding[] => [
  settingsMethods(domain),
  securitySettingsMethods(domain),
  securityPolicyMethods(domain),
  authPolicyMethods({ ...domain, loginProviders }),
  appearanceMethods({ ...domain, loginProviders }),
  authLabelPolicyMethods(domain),
  brandingMethods(domain),
  adminLabelPolicyMethods(domain),
  managementLabelPolicyMethods(domain),
  managementPolicyMethods({ ...domain, loginProviders }),
  adminPolicyMethods({ ...domain, loginProviders }),
  domainPolicyMethods({ ...domain, renameLoginNames }),
  instanceDefaultMethods(domain),
  secretGeneratorMethods(domain),
  linkSettingsMethods({ ...domain, findSettingsOwner: createFindSettingsOwner(domain) }),
  organizationSettingsMethods(domain),
  loginTranslationMethods({ ...domain, builtInTexts: createBuiltInTexts(domain) }),
  adminLoginTextMethods({ ...domain, builtInTexts: createBuiltInTexts(domain) }),
  managementLoginTextMethods({ ...domain, builtInTexts: createBuiltInTexts(domain) }),
];
