import type { Reader } from "../../database/index.ts";
import { emailKeyOf } from "../login-name/index.ts";
import type { PreparedDeps } from "../user/index.ts";
import { hasAddressInProvenDomain } from "./identity-link.store.ts";
import type { ExternalAccount, IdentityLink } from "./identity-link.ts";
import { listGoodLinks } from "./is-good-link.ts";
import { isHeldBack } from "./is-held-back.ts";

/** What a link is to count for: what the provider reported with the account, and where its user wants to sign in. */
interface LinkContext {
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  /** The organization that the sign-in is for; absent for none. */
  readonly organizationId?: string | undefined;
  /**
   * The organization in which the sign-in would create a user, for links of users who cannot sign in; `organizationId`
   * when absent, and such links count where neither is known.
   */
  readonly home?: string | undefined;
}

/**
 * Finds the link of an account that counts, if there is one: in a sign-in for an organization where a link counts,
 * that one, otherwise the one that counts in every sign-in. Both exist only where the latter came later and without
 * the user's having signed in to that user: then it takes no account from users of others. At a provider of the
 * instance the administrators of an organization can say of any account that it is one of their users'. That counts
 * elsewhere only where the provider vouches for the user's address in a domain that the organization has proven:
 * otherwise they could have other people sign in as users of theirs. The link of a user who cannot sign in counts in
 * the organization of that user alone (`isHeldBack`).
 */
export async function findCountingLink(
  reader: Reader,
  instanceId: string,
  deps: PreparedDeps,
  account: ExternalAccount & Pick<IdentityLink, "speaker">,
  { email, isEmailVerified, organizationId, home = organizationId }: LinkContext,
): Promise<IdentityLink | undefined> {
  const links = await listGoodLinks(reader, instanceId, deps, account);
  const of = (scope: string | null) => links.find(({ assertedIn }) => assertedIn === scope);
  const everywhere = of(null);
  const isCounting =
    everywhere !== undefined && (home === undefined || !(await isHeldBack(reader, instanceId, everywhere, home)));
  const here = (organizationId === undefined ? undefined : of(organizationId)) ?? (isCounting ? everywhere : undefined);
  if (here !== undefined || email === undefined || !isEmailVerified) return here;
  const emailKey = emailKeyOf(email);
  if (emailKey === undefined) return undefined;
  for (const link of links) {
    if (await hasAddressInProvenDomain(reader, instanceId, { userId: link.userId, emailKey })) return link;
  }
  return undefined;
}
