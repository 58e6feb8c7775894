import { type Author, accessOfAuthor, type Preparation, parseAuthor } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findIdentityProvider } from "../identity-provider/index.ts";
import { findUserScope } from "../user/index.ts";
import { listHeldPlaces } from "./access.store.ts";
import { mayAppoint } from "./may-appoint.ts";
import { mayVouchFor } from "./may-vouch-for.ts";
import { permissionsOfAll } from "./roles.ts";

/**
 * Whether what an author prepared lets a user in now. The rights of an author are weighed when the link or the code is
 * made, and again whenever it is used: the user may have been appointed since, here or in another organization. Of what was
 * made in a session, each of those who could have opened the session is weighed.
 */
export async function mayPrepareFor(
  reader: Reader,
  instanceId: string,
  author: Author,
  userId: string,
): Promise<boolean> {
  const held = await listHeldPlaces(reader, instanceId, userId);
  if (held.length === 0) return true;
  if ("preparedBy" in author) return areGood(reader, instanceId, author.preparedBy, userId);
  const access = accessOfAuthor(author, permissionsOfAll);
  return held.every(({ role, place }) => mayAppoint(access, role, place));
}

async function areGood(
  reader: Reader,
  instanceId: string,
  preparedBy: readonly Preparation[],
  userId: string,
): Promise<boolean> {
  for (const preparation of preparedBy) {
    const isGood =
      "author" in preparation
        ? await mayPrepareFor(reader, instanceId, parseAuthor(preparation.author), userId)
        : await isGoodProvider(reader, instanceId, preparation, userId);
    if (!isGood) return false;
  }
  return true;
}

// When another speaks for the provider now, or it is gone, it is not known any more what those who spoke for it held.
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
