import { type Author, authorOfNothing, ownerOf, ownerOfInstance, parseAuthor } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findIdentityProvider } from "../identity-provider/index.ts";
import type { ContactProof, MayVouchFor, PreparedDeps } from "../user/index.ts";
import { type ContactOrigin, findContactOrigins } from "./contact-origin.store.ts";

/** Dependencies for judging where an address or number comes from. */
export interface ContactProofDeps extends PreparedDeps {
  readonly mayVouchFor: MayVouchFor;
}

/** A user with their organization. */
export interface Owner {
  readonly userId: string;
  readonly organizationId: string;
}

interface VerifiedContact {
  readonly user: Owner;
  readonly channel: "email" | "sms";
  /** Undefined where it is not known. */
  readonly proof: ContactProof | undefined;
}

/** Whether the address or number of a user may receive what lets the user in (`isGoodOrigin`), with this proof. */
export async function isGoodProof(
  reader: Reader,
  instanceId: string,
  deps: ContactProofDeps,
  { user, channel, proof }: VerifiedContact,
): Promise<boolean> {
  const { [channel]: origin } = await findContactOrigins(reader, instanceId, user.userId);
  return isGoodOrigin(reader, instanceId, deps, { user, origin: origin && { ...origin, proof } });
}

/**
 * Whether a message to a recipient may let the user in, or prove the recipient to be theirs (`isGoodOrigin`). An
 * address or number that the user no longer has counts as one named by an author without any rights.
 */
export async function isGoodRecipient(
  reader: Reader,
  instanceId: string,
  deps: ContactProofDeps,
  { user, recipient }: { readonly user: Owner; readonly recipient: string },
): Promise<boolean> {
  const origins = await findContactOrigins(reader, instanceId, user.userId);
  const origin = [origins.email, origins.sms].find((each) => each?.recipient === recipient);
  return isGoodOrigin(reader, instanceId, deps, { user, origin });
}

/**
 * Whether an address or a number is the user's as far as the positions demand that the user holds now. It is if the
 * user named it, or if the reader of an address entered a code. It also is if the administrator who named it, or the
 * administrator or provider that called it verified, held at least as much. Otherwise an administrator with fewer
 * rights could have named a mailbox of their own. An assertion of a provider counts while the provider's speaker is the
 * same. Where the author is not known, it is the administrator who verified it, and where that is not known either, an
 * owner of the organization.
 */
export async function isGoodOrigin(
  reader: Reader,
  instanceId: string,
  deps: ContactProofDeps,
  { user, origin }: { readonly user: Owner; readonly origin: ContactOrigin | undefined },
): Promise<boolean> {
  if (origin?.namedBy === "" || origin?.isConfirmed === true) return true;
  const isEnough = (author: Author): Promise<boolean> => deps.mayPrepareFor(reader, instanceId, author, user.userId);
  if (await isEnough(authorOfNothing)) return true;
  if (origin === undefined) return false;
  const { namedBy, proof } = origin;
  if (namedBy !== null && (await isEnough(parseAuthor(namedBy)))) return true;
  // Only the party that named it is known, and that is not enough; an entered code is not an assertion by another
  // party.
  if (namedBy !== null && (proof === undefined || proof.by === "code")) return false;
  if (proof?.by !== "provider") return isEnough(authorOfWord(user, proof));
  const provider = await findIdentityProvider(reader, instanceId, proof.identityProviderId);
  if (provider === undefined || (proof.speaker !== undefined && proof.speaker !== provider.speaker)) return false;
  return deps.mayVouchFor(reader, instanceId, provider, user);
}

/** Returns the administrator who called an address or a number verified; an owner where that is not known. */
export function authorOfWord({ organizationId: home }: Owner, proof: ContactProof | undefined): Author {
  if (proof === undefined || proof.by === "code" || proof.by === "provider") return ownerOf(home);
  if (proof.author !== undefined) return parseAuthor(proof.author);
  return proof.level === "organization" ? ownerOf(proof.organizationId ?? home) : ownerOfInstance;
}
