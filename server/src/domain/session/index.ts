export { factorsOfAllowedKinds, withOfferedWord } from "./allowed-factors.ts";
export { authenticateSession } from "./authenticate-session.ts";
export { authenticationMethodsOf, authTimeOf, hasFirstFactor, isExternal, isMultiFactor } from "./authentication.ts";
export {
  aimOf,
  type ContextDemand,
  type ContextLevel,
  contextLevelOf,
  describeContext,
  levelOfContext,
  levelOfMethods,
  meetsEssential,
  supportedContexts,
  weakerContext,
} from "./authentication-context.ts";
export { isOfLogin, scopedSession } from "./authorize-session.ts";
export {
  findSessionOfUserIn,
  forgetBrowsersOfUser,
  isSessionOfBrowser,
  listBrowserAccounts,
  listBrowserSessions,
  listEndedAccounts,
  moveBrowserSessions,
  moveSessionsOfUser,
} from "./browser-session.store.ts";
export type { FactorChecks } from "./check-factors.ts";
export { createSession, type SessionDeps } from "./create-session.ts";
export { expiredSessions, terminatedSessions } from "./ended-session.store.ts";
export { getSession } from "./get-session.ts";
export { type EstablishedSignIn, holdSignIn, isStillGoodSignIn, withoutLostWord } from "./hold-sign-in.ts";
export { countingFactors, isCompletelySignedIn } from "./is-completely-signed-in.ts";
export { isFreshCaller } from "./is-fresh-caller.ts";
export { checkedSince, isFreshlySignedIn } from "./is-freshly-signed-in.ts";
export {
  type CountingDeps,
  freshFactorsOf,
  hasCountingFirstFactor,
  isEnough,
  isEnoughForRoles,
  isSignedIn,
  type SignedInDeps,
  wouldSuffice,
} from "./is-signed-in.ts";
export { joinChecks } from "./join-checks.ts";
export { listOwnSessions } from "./list-own-sessions.ts";
export { listSessions } from "./list-sessions.ts";
export { externalLifetime, listSignedInSessions, passwordLifetime } from "./list-signed-in-sessions.ts";
export { levelOfToken, loadCallerAccess } from "./load-caller-access.ts";
export type { Challenges, WantedChallenges } from "./make-challenges.ts";
export { mayActForUser } from "./may-act-for-user.ts";
export { findLastSignIn } from "./own-session.store.ts";
export { isGoodSignIn, preparationsOf, preparationsOfIntent } from "./preparations.ts";
export { putBrowserSession } from "./put-browser-session.ts";
export {
  eraseSessionsOfUsers,
  findSession,
  findSessionByToken,
  holdSession,
  holdSessionIds,
  isSessionLive,
  listLiveSessions,
  liveSession,
  markSessionsTerminated,
} from "./session.store.ts";
export {
  type BrowserAccount,
  type Factors,
  hostedLogin,
  type Session,
  type StayingSession,
  sessionAggregate,
  type UserAgent,
} from "./session.ts";
export {
  forgetSessionClient,
  forgetSessionClientOfUsers,
  listNamedSessions,
  listSessionsToExpire,
  moveSessionClients,
  type NamedSession,
  noteSessionClient,
  takeSessionClients,
} from "./session-client.store.ts";
export type { ReadSession, SessionFilter } from "./session-list.store.ts";
export { setSession } from "./set-session.ts";
export { findDemandInAnyState, findSignInDemand, type SignInDemand } from "./sign-in-demand.store.ts";
