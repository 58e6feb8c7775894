import { type Call, withoutLoginClient } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { listHeldPlaces } from "./access.store.ts";
import { mayAppoint } from "./may-appoint.ts";

/**
 * Whether the caller may take over a user's credentials. For every administrative position of the user, the caller must
 * hold at least its permissions. Otherwise a manager of an organization's users could set the password of its owner and
 * thereby become the owner. What a caller holds as a sign-in application does not count: `mayActForUser` says what
 * those may do.
 */
export async function mayActFor(reader: Reader, call: Call, userId: string): Promise<boolean> {
  const access = call.caller && withoutLoginClient(call.caller.access);
  if (access === undefined) return false;
  const held = await listHeldPlaces(reader, call.instanceId, userId);
  return held.every(({ role, place }) => mayAppoint(access, role, place));
}
