import type { GetSettingsDeps } from "../../../../domain/settings/index.ts";
import { methodsOfFactors } from "./login-factor.ts";
import { methodsOfPolicy } from "./policy-methods.ts";
import {
  ageWords,
  complexityWords,
  domainWords,
  lockoutWords,
  loginWords,
  notificationWords,
  privacyWords,
} from "./policy-words.ts";

/** Returns the methods on each policy of the first generation, for any owner. */
export const methodsOfPolicies = (deps: GetSettingsDeps) => ({
  login: methodsOfPolicy(deps, loginWords),
  complexity: methodsOfPolicy(deps, complexityWords),
  age: methodsOfPolicy(deps, ageWords),
  lockout: methodsOfPolicy(deps, lockoutWords),
  domain: methodsOfPolicy(deps, domainWords),
  notification: methodsOfPolicy(deps, notificationWords),
  privacy: methodsOfPolicy(deps, privacyWords),
  factors: methodsOfFactors(deps),
});
