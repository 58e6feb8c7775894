export { type BrowserVisit, organizationOf, type SignInDeps } from "./browser-visit.ts";
export { enterName } from "./enter-name.ts";
export { type EnterPassword, enterPassword } from "./enter-password.ts";
export { discoverOrganization, findPlaceOfName, type PlaceOfName } from "./find-place-of-name.ts";
export { findTwin, type Twin } from "./find-twin.ts";
export { type Proven, type StepOutcome, signInProven, stay } from "./prove.ts";
export { type ReplacePassword, replacePassword } from "./replace-password.ts";
export { deleteExpiredSignIns, deleteSignInsOfUser, findSignIn } from "./sign-in.store.ts";
export { type BrowserAuthentication, signIn } from "./sign-in.ts";
export {
  isPossible,
  type Problem,
  type SignIn,
  type SignInAction,
  type SignInState,
  signInActions,
  signInStates,
  unnamed,
} from "./state.ts";
export { chooseSession, continueSession, listFittingSessions, removeSession } from "./use-session.ts";
