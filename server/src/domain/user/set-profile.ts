import type { Tx } from "../../database/index.ts";
import { updateProfile } from "./profile.store.ts";
import { type NewProfile, parseProfile } from "./profile.ts";
import { recordUserEvent } from "./record-user.ts";
import type { HumanUser } from "./user.ts";

/** Parts of a profile to change; absent members stay as they are. */
export type ProfileChange = { readonly [Part in keyof NewProfile]?: NewProfile[Part] | undefined };

/**
 * Step: changes parts of a profile. A display name that was made of given and family name follows them. Values that are
 * already set change nothing.
 */
export async function applyProfile(tx: Tx, user: HumanUser, change: ProfileChange): Promise<void> {
  const former = user.profile;
  const isMade = user.displayName === `${former.givenName} ${former.familyName}`;
  const wanted = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const profile = parseProfile({ ...former, ...(!isMade && { displayName: user.displayName }), ...wanted });
  const isSame = (Object.keys({ ...former, ...profile }) as (keyof typeof profile)[]).every(
    (key) => profile[key] === (key === "displayName" ? user.displayName : former[key]),
  );
  if (isSame) return;
  await updateProfile(tx, user.userId, profile);
  await recordUserEvent(tx, user, { type: "user.profile.set", payload: { ...profile } });
}
