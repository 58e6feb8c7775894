export { approveDevice } from "./approve-device.ts";
export { audienceOfScope } from "./audience.ts";
export { checkTargets } from "./check-targets.ts";
export { checkUserOfClient } from "./check-user-of-client.ts";
export { type ConsentPolicy, readConsentPolicy } from "./consent-policy.ts";
export { readConsentWords } from "./consent-words.ts";
export { consentWordsOf } from "./consent-words-of.ts";
export { type AuthorityContext, type AuthorityDeps, authorityContext } from "./context.ts";
export { isForOwnProject, withCurrentTargets } from "./current-targets.ts";
export { type AccessTokenTarget, decideAuthority } from "./decide-authority.ts";
export { decideForAccount, seekProjects } from "./decide-for-account.ts";
export { exchangedAudience } from "./exchanged-audience.ts";
export { exchangedTarget } from "./exchanged-target.ts";
export { isForeign, isVouchedForAtHome, readingOrganizationOf } from "./is-foreign.ts";
export { isRefreshConsented, isStillConsented } from "./is-still-consented.ts";
export { isStillLetIn } from "./is-still-let-in.ts";
export { mayPassOn } from "./may-pass-on.ts";
export { leftOutRestrictions, narrowAudience, narrowScope, requireGrantedScope } from "./narrow.ts";
export { needsConsent } from "./needs-consent.ts";
export { permissionsOfToken } from "./permissions-of-token.ts";
export { type RefreshOfFamily, refreshedTarget } from "./refreshed-target.ts";
export { requestedScope } from "./requested-scope.ts";
export { resolveOrganization } from "./resolve-organization.ts";
export { isOwnResource, namesOf, requireGranted, resourcesOf } from "./resource.ts";
export { findResources } from "./resources.ts";
export { scopeOfRight } from "./rights.ts";
export {
  formatScope,
  iam,
  isKnownScope,
  isResourceScope,
  namespaceWords,
  parseScope,
  readScopes,
  scopeValues,
  standardScopes,
  withoutAlias,
} from "./scope.ts";
export { isStillAsShown, shownConsent } from "./shown-consent.ts";
export { askerOf, asksForApis, findOtherProjects } from "./targets.ts";
export { type DecidedTokens, endOfFamily, idTokenLifetime, orderTokens } from "./token-order.ts";
