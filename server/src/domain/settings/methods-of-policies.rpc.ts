import type { GetSettingsDeps } from "./get-settings.ts";
import { methodsOfFactors } from "./login-factor.rpc.ts";
import { methodsOfPolicy } from "./policy-methods.rpc.ts";
import {
  ageWords,
  complexityWords,
  domainWords,
  lockoutWords,
  loginWords,
  notificationWords,
  privacyWords,
} from "./policy-words.rpc.ts";

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
