import { type Author, accessOfAuthor, decideByAuthor, type Preparation, parseAuthor } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { hasGoodRecipient } from "../contact/index.ts";
import { findIdentityProvider } from "../identity-provider/index.ts";
import { findUserScope, type MayPrepareFor, type MayPrepareNow } from "../user/index.ts";
import { listScopedRoles } from "./access.store.ts";
import { holdsAllRoles } from "./may-appoint.ts";
import { mayVouchFor } from "./may-vouch-for.ts";
import { permissionsOfAll } from "./roles.ts";

/**
 * Whether what an author prepared lets a user in now. The rights of an author are weighed when the link or the code is
 * made, and again whenever it is used: the user may have been appointed since, here or in another organization. For
 * something made in a session, every party that could have opened the session is checked. What a message to an address
 * opened is good as well while the address is the user's.
 */
export const mayPrepareFor: MayPrepareFor = async (reader, instanceId, author, userId) =>
  (await holdsEnough(reader, instanceId, author, userId)) || hasGoodRecipients(reader, instanceId, author, userId);

/**
 * Whether what the caller has sent now lets a user in: the same, for a caller as whose word nothing is stored. It is
 * asked again until the message is queued.
 */
export const mayPrepareNow: MayPrepareNow = async (reader, call, userId) => {
  const held = await listScopedRoles(reader, call.instanceId, userId);
  return (
    held.length === 0 ||
    decideByAuthor(call, `prepare ${userId}`, (author) => holdsAllRoles(accessOfAuthor(author, permissionsOfAll), held))
  );
};

/** Whether authors held, or may vouch for, what the positions of a user carry now. */
const holdsEnough: MayPrepareFor = async (reader, instanceId, author, userId) => {
  const held = await listScopedRoles(reader, instanceId, userId);
  if (held.length === 0) return true;
  if ("preparedBy" in author) return areGood(author.preparedBy, (each) => isGood(reader, instanceId, each, userId));
  return holdsAllRoles(accessOfAuthor(author, permissionsOfAll), held);
};

// The authors of the address itself are weighed by what they held, so that addresses cannot vouch for one another.
async function hasGoodRecipients(reader: Reader, instanceId: string, author: Author, userId: string): Promise<boolean> {
  if (!("preparedBy" in author) || author.preparedBy.every(({ recipient }) => recipient === undefined)) return false;
  const user = await findUserScope(reader, instanceId, userId);
  if (user === undefined) return false;
  const deps = { mayPrepareFor: holdsEnough, mayVouchFor };
  return areGood(author.preparedBy, async (each) => {
    if (await isGood(reader, instanceId, each, userId)) return true;
    const { recipient: mark } = each;
    return mark !== undefined && hasGoodRecipient(reader, instanceId, deps, { user, mark });
  });
}

async function areGood(
  preparedBy: readonly Preparation[],
  isGoodOne: (preparation: Preparation) => Promise<boolean>,
): Promise<boolean> {
  for (const preparation of preparedBy) {
    if (!(await isGoodOne(preparation))) return false;
  }
  return true;
}

const isGood = (reader: Reader, instanceId: string, preparation: Preparation, userId: string): Promise<boolean> =>
  "author" in preparation
    ? holdsEnough(reader, instanceId, parseAuthor(preparation.author), userId)
    : isGoodProvider(reader, instanceId, preparation, userId);

// When the provider has another speaker now, or is deleted, it is no longer known what its former administrators held.
async function isGoodProvider(
  reader: Reader,
  instanceId: string,
  { identityProviderId, speaker }: Exclude<Preparation, { readonly author: string }>,
  userId: string,
): Promise<boolean> {
  const provider = await findIdentityProvider(reader, instanceId, identityProviderId);
  if (provider?.speaker !== speaker) return false;
  const user = await findUserScope(reader, instanceId, userId);
  return user !== undefined && mayVouchFor(reader, instanceId, provider, user);
}
