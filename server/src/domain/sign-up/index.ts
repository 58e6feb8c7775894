export { allowsSignUp, findSignUpPlace } from "./find-sign-up-place.ts";
export { type SignUp, type SignUpDeps, signUp } from "./sign-up.ts";
