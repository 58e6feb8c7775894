import type { Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { listHeldPlaces } from "./access.store.ts";
import { mayAppoint } from "./may-appoint.ts";

/**
 * Whether the caller may take a user's credentials into his hands: he must hold, wherever the user has administrative positions, at
 * least what they carry. Otherwise who manages the users of an organization could set the password of its owner and be the owner.
 * The account of a sign-in application (`session.link`) acts for everybody who signs in.
 */
export async function mayActFor(reader: Reader, call: Call, userId: string): Promise<boolean> {
  const access = call.caller?.access;
  if (access === undefined) return false;
  if (access.allows("session.link", {})) return true;
  const held = await listHeldPlaces(reader, call.instanceId, userId);
  return held.every(({ role, place }) => mayAppoint(access, role, place));
}
