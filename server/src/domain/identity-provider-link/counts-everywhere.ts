import { canonicalName } from "../../base/canonical.ts";
import type { Reader } from "../../database/index.ts";
import { hasAddressInProvenDomain } from "./identity-link.store.ts";
import type { IdentityLink } from "./identity-link.ts";

/** The address that a provider reports with an account. */
interface ReportedAddress {
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
}

/**
 * Whether a link counts in every sign-in, and not just in those for the organization whose administrators made it. At a
 * provider of the instance they can say of any account that it is one of their users'. That counts elsewhere only where
 * the provider vouches for the user's address in a domain that the organization has proven: otherwise they could have
 * other people sign in as users of theirs.
 */
export async function countsEverywhere(
  reader: Reader,
  instanceId: string,
  { userId, assertedIn }: Pick<IdentityLink, "userId" | "assertedIn">,
  { email, isEmailVerified }: ReportedAddress,
): Promise<boolean> {
  if (assertedIn === null) return true;
  if (email === undefined || !isEmailVerified) return false;
  return hasAddressInProvenDomain(reader, instanceId, { userId, emailKey: canonicalName(email) });
}
