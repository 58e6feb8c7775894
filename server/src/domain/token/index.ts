export { findActiveAccessToken, type TokenKey } from "./access-token.store.ts";
export { createAuthorizationCode, redeemAuthorizationCode } from "./authorization-code.ts";
export type { CodeIssuance } from "./code-issuance.ts";
export { endClientOfUser } from "./end-client-of-user.ts";
export {
  expiredAccessTokens,
  expiredAssertions,
  expiredCodes,
  expiredFamilies,
  expiredFamilySources,
  expiredRefreshTokens,
} from "./expired.store.ts";
export { listFamiliesAbove, listFamilySources } from "./family-source.store.ts";
export { endUndelivered, giveBackAnswer, giveBackCode, giveBackRefreshToken } from "./give-back.ts";
export { isStillFounded } from "./is-still-founded.ts";
export { extendFamily, type IssuedTokens, type NewFamily, startFamily, type TokenOrder } from "./issue-tokens.ts";
export { type ClientWithAccess, listOwnClients } from "./list-own-clients.ts";
export { listOwnRefreshTokens } from "./list-own-refresh-tokens.ts";
export { findLiveFamily, isEndedFamily } from "./live-family.store.ts";
export { recordExchange } from "./record-exchange.ts";
export { keepSuccessor, repeatAnswer } from "./refresh-grace.ts";
export { consumeRefreshToken, findRefreshToken, useRefreshToken } from "./refresh-token.store.ts";
export type { RefreshableFamily } from "./refreshable-family.store.ts";
export { type RevocationReason, revokeFamilies } from "./revoke-families.ts";
export { revokeFamilyNow } from "./revoke-family-now.ts";
export { revokeOwnClient } from "./revoke-own-client.ts";
export { revokeAllOwnRefreshTokens, revokeOwnRefreshToken } from "./revoke-own-refresh-tokens.ts";
export { revokeToken } from "./revoke-token.ts";
export { findFamily } from "./token-family.store.ts";
export {
  type ActiveToken,
  type Actor,
  type FamilySource,
  isOfImpersonation,
  type RequestedClaims,
  type TokenFamily,
} from "./token-family.ts";
export { useAssertion } from "./use-assertion.ts";
