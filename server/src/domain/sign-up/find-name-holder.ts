import type { Reader } from "../../database/index.ts";
import { type ContactProofDeps, isGoodProof } from "../contact/index.ts";
import { listNameHolders, type NameHolderRow } from "./name-holder.store.ts";

/** The holder of an address with which an account is to be created; only a reader of its messages learns about it. */
export type NameHolder =
  | { readonly is: "free" }
  /** The holder has proven the address, and may sign in. */
  | { readonly is: "owner"; readonly userId: string }
  /** The account has the address as its name, but has not proven it. */
  | { readonly is: "unproven"; readonly userId: string }
  /** The holder has another address, or may not sign in. */
  | { readonly is: "other" };

/**
 * Finds the holder of a name, given as it is compared, with which an account is to be created in an organization. Users
 * of other organizations count only if they have verified it as their address: what they merely entered is not a claim.
 */
export async function findNameHolder(
  reader: Reader,
  instanceId: string,
  deps: ContactProofDeps,
  { organizationId, nameKey }: { readonly organizationId: string; readonly nameKey: string },
): Promise<NameHolder> {
  const holders = await listNameHolders(reader, instanceId, { organizationId, name: nameKey });
  const people = holders.filter(
    ({ kind, emailKey, organizationState }) =>
      kind === "human" && emailKey === nameKey && organizationState === "active",
  );
  const owner = people.find(({ state, isEmailVerified }) => state === "active" && isEmailVerified === 1);
  if (owner !== undefined) return { is: "owner", userId: owner.userId };
  const unproven = people.find((each) => each.isEmailVerified !== 1 && isNamedAfter(each, nameKey));
  // The administrator who named the address may read the message: none is sent where the user administers more now.
  if (unproven !== undefined) {
    const contact = { user: unproven, channel: "email", proof: undefined } as const;
    const isGood = await isGoodProof(reader, instanceId, deps, contact);
    return isGood ? { is: "unproven", userId: unproven.userId } : { is: "other" };
  }
  return { is: holders.some((each) => isHeld(each, nameKey)) ? "other" : "free" };
}

// An address that a user with another name merely entered does not restrict its owner.
const isHeld = (holder: NameHolderRow, nameKey: string): boolean =>
  holder.usernameKey === nameKey ||
  holder.loginNameKey === nameKey ||
  (holder.emailKey === nameKey && holder.isEmailVerified === 1);

// An address that a user with another name merely entered must not let its readers into that account. And an account
// that was prepared in another person's name keeps what a new password does not replace, so an active account with
// another way to sign in is excluded.
const isNamedAfter = ({ state, usernameKey, hasOtherSignInMethod }: NameHolderRow, nameKey: string): boolean =>
  state === "initial" || (state === "active" && usernameKey === nameKey && hasOtherSignInMethod === 0);
