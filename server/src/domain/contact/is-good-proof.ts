import { type Author, authorOfNothing, ownerOf, ownerOfInstance, parseAuthor } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findIdentityProvider } from "../identity-provider/index.ts";
import type { ContactProof, MayVouchFor, PreparedDeps } from "../user/index.ts";
import { isEmailProven } from "./contact.store.ts";

/** Dependencies of what weighs the proof of an address or a number. */
export interface ContactProofDeps extends PreparedDeps {
  readonly mayVouchFor: MayVouchFor;
}

interface VerifiedContact {
  readonly user: { readonly userId: string; readonly organizationId: string };
  readonly channel: "email" | "sms";
  /** Undefined where it is not known. */
  readonly proof: ContactProof | undefined;
}

/**
 * Whether a verified address or number may receive what lets a user in: its reader entered a code, or the administrator or
 * provider that vouches for it held at least what the positions of the user carry now. Otherwise an administrator of less
 * could have named a mailbox of their own. The word of a provider counts while the server that gave it speaks with its
 * voice. Where the administrator is not known, it was an owner of the organization or of the instance.
 */
export async function isGoodProof(
  reader: Reader,
  instanceId: string,
  { mayPrepareFor, mayVouchFor }: ContactProofDeps,
  { user, channel, proof }: VerifiedContact,
): Promise<boolean> {
  const { userId } = user;
  if (proof?.by === "code" || (await mayPrepareFor(reader, instanceId, authorOfNothing, userId))) return true;
  if (channel === "email" && (await isEmailProven(reader, instanceId, userId))) return true;
  if (proof?.by !== "provider") return mayPrepareFor(reader, instanceId, authorOfWord(user, proof), userId);
  const provider = await findIdentityProvider(reader, instanceId, proof.identityProviderId);
  if (provider === undefined || (proof.speaker !== undefined && proof.speaker !== provider.speaker)) return false;
  return mayVouchFor(reader, instanceId, provider, user);
}

function authorOfWord(
  { organizationId: home }: VerifiedContact["user"],
  proof: Exclude<ContactProof, { by: "code" | "provider" }> | undefined,
): Author {
  if (proof?.author !== undefined) return parseAuthor(proof.author);
  if (proof !== undefined && proof.level !== "organization") return ownerOfInstance;
  return ownerOf(proof?.organizationId ?? home);
}
