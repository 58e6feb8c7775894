import type { IdentityProvider } from "../identity-provider/index.ts";
import { parseProof, reachesInstance } from "../user/index.ts";
import type { MatchingUser } from "./matching-user.store.ts";

/**
 * Whether the address of a user here means the same person as that address at a provider. Administrators of an
 * organization can call any address verified, so their assertion counts for their own provider and in their own proven
 * domains only. Otherwise they could make a user with the address of another person beforehand, and that person would
 * come to use it.
 */
export const reachesAddress = (
  { ownerOrganizationId }: Pick<IdentityProvider, "ownerOrganizationId">,
  { organizationId, emailProof, isInProvenDomain }: MatchingUser,
): boolean =>
  ownerOrganizationId === organizationId || isInProvenDomain === 1 || reachesInstance(parseProof(emailProof));
