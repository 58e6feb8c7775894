export { deleteFactorsOfUsers } from "./delete-factors-of-users.ts";
export { createFactorSteps } from "./factor-steps.ts";
export { type AuthenticationMethod, listAuthenticationMethods } from "./list-authentication-methods.ts";
export { listSecondFactors, type SecondFactor } from "./list-second-factors.ts";
export { listSignInMethods, type SignInMethods } from "./list-sign-in-methods.ts";
export { removeSecondFactors } from "./remove-second-factors.ts";
export {
  allowedSecondFactors,
  type SecondFactorKind,
  secondFactorKinds,
  takesAnyKey,
} from "./second-factor-kinds.ts";
