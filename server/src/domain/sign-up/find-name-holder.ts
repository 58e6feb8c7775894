import type { Reader } from "../../database/index.ts";
import { listNameHolders, type NameHolderRow } from "./name-holder.store.ts";

/** To whom the address belongs with which somebody wants to make an account; only he who reads its messages is told. */
export type NameHolder =
  | { readonly is: "nobody" }
  /** Somebody who has proven that the address is his, and may sign in. */
  | { readonly is: "owner"; readonly userId: string }
  /** Somebody whose account has the address for a name, which nobody has proven. */
  | { readonly is: "unproven"; readonly userId: string }
  /** Somebody with another address, or who may not sign in. */
  | { readonly is: "other" };

/** Reads who has a name, as it is compared. */
export async function findNameHolder(reader: Reader, instanceId: string, nameKey: string): Promise<NameHolder> {
  const holders = await listNameHolders(reader, instanceId, nameKey);
  if (holders.length === 0) return { is: "nobody" };
  const people = holders.filter(
    ({ kind, emailKey, organizationState }) =>
      kind === "human" && emailKey === nameKey && organizationState === "active",
  );
  const owner = people.find(({ state, isEmailVerified }) => state === "active" && isEmailVerified === 1);
  if (owner !== undefined) return { is: "owner", userId: owner.userId };
  const unproven = people.find((each) => each.isEmailVerified !== 1 && isNamedAfter(each, nameKey));
  return unproven === undefined ? { is: "other" } : { is: "unproven", userId: unproven.userId };
}

// An address that somebody who has another name only entered as his is no way into his account for whoever reads there. And who prepared an account in
// the name of somebody else keeps what a new password does not replace, so nobody is led into one that has more.
const isNamedAfter = ({ state, usernameKey, hasOtherWayIn }: NameHolderRow, nameKey: string): boolean =>
  state === "initial" || (state === "active" && usernameKey === nameKey && hasOtherWayIn === 0);
