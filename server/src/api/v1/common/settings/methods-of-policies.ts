import type { SettingsDeps } from "../../../../domain/settings/index.ts";
import { domainFields } from "../../../settings/domain-fields.ts";
import { legalSupportFields } from "../../../settings/legal-support-fields.ts";
import { lockoutFields } from "../../../settings/lockout-fields.ts";
import { loginFields } from "../../../settings/login-fields.ts";
import { notificationFields } from "../../../settings/notification-fields.ts";
import { passwordComplexityFields, passwordExpiryFields } from "../../../settings/password-fields.ts";
import { methodsOfFactors } from "./login-factor.ts";
import { methodsOfPolicy } from "./policy-methods.ts";

/** Returns the methods on each policy of the first generation, for any owner. */
export const methodsOfPolicies = (deps: SettingsDeps) => ({
  login: methodsOfPolicy(deps, "login", loginFields),
  complexity: methodsOfPolicy(deps, "password_complexity", passwordComplexityFields),
  age: methodsOfPolicy(deps, "password_expiry", passwordExpiryFields),
  lockout: methodsOfPolicy(deps, "lockout", lockoutFields),
  domain: methodsOfPolicy(deps, "domain", domainFields),
  notification: methodsOfPolicy(deps, "notification", notificationFields),
  privacy: methodsOfPolicy(deps, "legal_support", legalSupportFields),
  factors: methodsOfFactors(deps),
});
