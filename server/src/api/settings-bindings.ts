import { renameLoginNames } from "../domain/login-name/index.ts";
import type { Binding } from "./contract/index.ts";
import type { ApiDeps } from "./deps.ts";
import { adminLoginTextMethods } from "./v1/admin/settings/custom-login-text.ts";
import { domainPolicyMethods } from "./v1/admin/settings/domain-policy.ts";
import { instanceDefaultMethods } from "./v1/admin/settings/instance-defaults.ts";
import { adminLabelPolicyMethods } from "./v1/admin/settings/label-policy.ts";
import { adminPolicyMethods } from "./v1/admin/settings/policy.ts";
import { secretGeneratorMethods } from "./v1/admin/settings/secret-generator.ts";
import { securityPolicyMethods } from "./v1/admin/settings/security-policy.ts";
import { authLabelPolicyMethods } from "./v1/auth/settings/label-policy.ts";
import { authPolicyMethods } from "./v1/auth/settings/policy.ts";
import { managementLoginTextMethods } from "./v1/management/settings/custom-login-text.ts";
import { managementLabelPolicyMethods } from "./v1/management/settings/label-policy.ts";
import { managementPolicyMethods } from "./v1/management/settings/policy.ts";
import { appearanceServiceMethods } from "./v2/appearance/appearance.ts";
import { samlKeyMethods } from "./v2/saml/saml-key.ts";
import { appearanceMethods } from "./v2/settings/appearance.ts";
import { brandingMethods } from "./v2/settings/branding.ts";
import { changeSettingsMethods } from "./v2/settings/change-settings.ts";
import { linkSettingsMethods } from "./v2/settings/link-settings.ts";
import { loginTranslationMethods } from "./v2/settings/login-translation.ts";
import { organizationSettingsMethods } from "./v2/settings/organization-settings.ts";
import { securitySettingsMethods } from "./v2/settings/security-settings.ts";
import { settingsMethods } from "./v2/settings/settings.ts";

/** Returns the methods for settings, of both generations of the API, and for the certificates of SAML beside them. */
export const createSettingsBindings = (deps: ApiDeps): Binding[] => [
  settingsMethods(deps),
  changeSettingsMethods({ ...deps, renameLoginNames }),
  securitySettingsMethods(deps),
  securityPolicyMethods(deps),
  authPolicyMethods(deps),
  appearanceMethods(deps),
  authLabelPolicyMethods(deps),
  brandingMethods(deps),
  adminLabelPolicyMethods(deps),
  managementLabelPolicyMethods(deps),
  managementPolicyMethods(deps),
  adminPolicyMethods(deps),
  domainPolicyMethods({ ...deps, renameLoginNames }),
  instanceDefaultMethods(deps),
  secretGeneratorMethods(deps),
  linkSettingsMethods(deps),
  organizationSettingsMethods(deps),
  loginTranslationMethods(deps),
  adminLoginTextMethods(deps),
  managementLoginTextMethods(deps),
  appearanceServiceMethods(deps),
  samlKeyMethods(deps),
];
