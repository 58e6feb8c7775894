export { expiredReferences, isReferenceAnswered } from "./answered-reference.store.ts";
export {
  type AuthRequestRow,
  attachSession,
  declineAuthRequest,
  expiredAuthRequests,
  findBrowserAuthRequest,
  findFormerAuthRequest,
  findOpenAuthRequest,
  findPastAuthRequest,
  holdBrowserAuthRequest,
  insertAuthRequest,
  keepResponse,
  moveAuthRequests,
  noteConsent,
  noteImpersonation,
  openRequestOfBrowser,
  releaseAuthRequest,
  takeOverAuthRequest,
  takeResponse,
  toAuthRequest,
} from "./auth-request.store.ts";
export type { AuthRequest, AuthRequestParameters } from "./auth-request.ts";
export { claimReference, longestReferenceLifetime, markAnswered, type RequestReference } from "./claim-answer.ts";
export { contextReachOf } from "./context-reach.ts";
export { findRequestOfBrowser } from "./find-request-of-browser.ts";
export { expiredPushedRequests } from "./pushed-request.store.ts";
export { createPushedRequest, findPushedRequest, pushedRequestPrefix } from "./pushed-request.ts";
export {
  answersBesideContext,
  answersRequest,
  asAnswer,
  checksDemandedSince,
  isOfRequestedUser,
  satisfiesRequest,
  type VisitDemand,
} from "./satisfies-request.ts";
