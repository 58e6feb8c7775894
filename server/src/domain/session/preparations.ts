import { formatAuthor, ownerOf, parseAuthor } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findIdentityProvider } from "../identity-provider/index.ts";
import type { UsedIntent } from "../identity-provider-intent/index.ts";
import { authorOfLink } from "../identity-provider-link/index.ts";
import { mayPrepareFor, mayVouchFor } from "../membership/index.ts";
import type { Factors, Preparation, Session } from "./session.ts";

/** Returns the preparation by the author of a credential (`authorOfCredential`): none where the user alone knows it. */
export const preparationBy = (author: string): readonly Preparation[] => (author === "" ? [] : [{ author }]);

/** Returns the preparations of a sign-in at a provider: whose word says whose the account is, and who speaks for it. */
export const preparationsOfIntent = ({ link, provider }: UsedIntent): readonly Preparation[] => [
  ...preparationBy(authorOfLink(link)),
  { identityProviderId: provider.identityProviderId, speaker: provider.speaker },
];

/** Returns the factors of a session that was checked again, which rests on what it rested on before as well. */
export function withPreparations({ preparedBy: former }: Factors, checked: Factors): Factors {
  const { preparedBy: added = [], ...checks } = checked;
  if (former === undefined) return checks;
  const known = new Set(former.map((each) => JSON.stringify(each)));
  return { ...checks, preparedBy: [...former, ...added.filter((each) => !known.has(JSON.stringify(each)))] };
}

/**
 * Whether a sign-in gives no more than those who could have made it without the user held then: it is weighed against what
 * the positions of the user carry now, as prepared links and codes are. Of a session that does not say what it rests on, an
 * owner of the user's organization could have made it.
 */
export async function isGoodSignIn(
  reader: Reader,
  instanceId: string,
  {
    userId,
    organizationId,
    factors,
  }: { readonly [K in "userId" | "organizationId"]: string } & Pick<Session, "factors">,
): Promise<boolean> {
  const { preparedBy = preparationBy(formatAuthor(ownerOf(organizationId))) } = factors;
  for (const preparation of preparedBy) {
    if (!(await isGood(reader, instanceId, preparation, { userId, organizationId }))) return false;
  }
  return true;
}

async function isGood(
  reader: Reader,
  instanceId: string,
  preparation: Preparation,
  user: { readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  if ("author" in preparation) return mayPrepareFor(reader, instanceId, parseAuthor(preparation.author), user.userId);
  const provider = await findIdentityProvider(reader, instanceId, preparation.identityProviderId);
  return provider?.speaker === preparation.speaker && mayVouchFor(reader, instanceId, provider, user);
}
