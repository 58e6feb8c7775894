export { type AddLinkDeps, addIdentityLink } from "./add-identity-link.ts";
export { findCountingLink } from "./find-counting-link.ts";
export { deleteIdentityLinksOfUsers, listLinksOfAccount } from "./identity-link.store.ts";
export { type IdentityLink, type LinkKind, type ListedIdentityLink, providerNotTrusted } from "./identity-link.ts";
export {
  authorOfLink,
  hasIdentityLink,
  hasSuspendedLink,
  listGoodLinkKinds,
  listGoodLinks,
} from "./is-good-link.ts";
export { isHeldBack } from "./is-held-back.ts";
export { isHeldByOther } from "./is-held-by-other.ts";
export { createLinkNewUser } from "./link-new-user.ts";
export { listIdentityLinks } from "./list-identity-links.ts";
export type { TakeProof } from "./prove-account.ts";
export { type LinkReach, putIdentityLink } from "./put-identity-link.ts";
export { removeIdentityLink } from "./remove-identity-link.ts";
export { removeLinksOfProvider } from "./remove-links-of-provider.ts";
export { removePreparedLinks } from "./remove-prepared-links.ts";
export { renameIdentityLink } from "./rename-identity-link.ts";
export { widenIdentityLink } from "./widen-identity-link.ts";
