import { formatAuthor, joinPreparations, ownerOf, type Preparation, preparationsBy } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { mayPrepareFor } from "../administrator-access/index.ts";
import type { UsedIntent } from "../identity-provider-intent/index.ts";
import { authorOfLink } from "../identity-provider-link/index.ts";
import type { Factors, Session } from "./session.ts";

/**
 * Returns who prepared a sign-in at a provider: the administrator who linked the account, if any, and the provider's
 * speaker.
 */
export const preparationsOfIntent = ({ link, provider }: UsedIntent): readonly Preparation[] => [
  ...preparationsBy(authorOfLink(link)),
  { identityProviderId: provider.identityProviderId, speaker: provider.speaker },
];

/**
 * Returns what others know or control of a session. One that does not say could have been opened by an owner of the
 * user's organization.
 */
export function preparationsOf({
  organizationId,
  factors: { preparedBy },
}: Pick<Session, "organizationId" | "factors">): readonly Preparation[] {
  if (preparedBy !== undefined) return preparedBy;
  return organizationId === undefined ? [] : preparationsBy(formatAuthor(ownerOf(organizationId)));
}

/** Returns the factors of a session that was checked again, which depends on what it rested on before as well. */
export function withPreparations(former: Pick<Session, "organizationId" | "factors">, checked: Factors): Factors {
  return { ...checked, preparedBy: joinPreparations(preparationsOf(former), checked.preparedBy ?? []) };
}

/**
 * Whether a sign-in gives no more than those who could have made it without the user held then: it is weighed against
 * what the positions of the user carry now, as prepared links and codes are.
 */
export function isGoodSignIn(
  reader: Reader,
  instanceId: string,
  { userId, ...session }: { readonly userId: string } & Pick<Session, "organizationId" | "factors">,
): Promise<boolean> {
  return mayPrepareFor(reader, instanceId, { preparedBy: preparationsOf(session) }, userId);
}
