export {
  attachSession,
  declineAuthRequest,
  deleteExpiredAuthRequests,
  findBrowserAuthRequest,
  findFormerAuthRequest,
  findOpenAuthRequest,
  findPastAuthRequest,
  holdBrowserAuthRequest,
  insertAuthRequest,
  keepResponse,
  markAnswered,
  moveAuthRequests,
  noteConsent,
  takeOverAuthRequest,
  takeResponse,
} from "./auth-request.store.ts";
export type { AuthRequest, AuthRequestParameters } from "./auth-request.ts";
export { deleteExpiredPushedRequests } from "./pushed-request.store.ts";
export { createPushedRequest, pushedRequestPrefix, redeemPushedRequest } from "./pushed-request.ts";
export {
  answersRequest,
  asAnswer,
  checksDemandedSince,
  type SessionDemand,
  satisfiesRequest,
} from "./satisfies-request.ts";
