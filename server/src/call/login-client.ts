import { isIP } from "node:net";
import { networkOf } from "../base/budget/network-of.ts";
import { type Access, createAccess, isOfLoginClient } from "./access.ts";
import type { Call } from "./call.ts";

/**
 * Returns whether the caller holds the position of a sign-in application (`session.link`) and does not own the
 * instance, including by a token that has only some of its permissions.
 */
export const isLoginClient = (access: Access): boolean => access.hasLoginClient();

/** Returns what the caller may do without being a sign-in application. */
export const withoutLoginClient = (access: Access): Access =>
  access.derive?.("without login client", leaveLoginClient) ?? leaveLoginClient(access);

const leaveLoginClient = (access: Access): Access =>
  isLoginClient(access) ? createAccess(access.positions.filter((position) => !isOfLoginClient(position))) : access;

const ofMappedAddress = /^::ffff:(?=\d+\.)/i;

/** Returns a call with the address that a sign-in application names as its user's. Only guesses are counted by it. */
export function withUserAddress(call: Call, address: string | undefined): Call {
  const plain = address?.trim().replace(ofMappedAddress, "") ?? "";
  return isIP(plain) === 0 ? call : { ...call, userSource: networkOf(plain) };
}

/**
 * Returns the network that a guess comes from, for everything that counts guesses by source. A sign-in application
 * enters what all of its users do, so its own address tells nothing: the source is what it says of the user, undefined
 * where it says nothing. Then guesses are not counted by source, because those of one stranger would be everyone's.
 */
export const guessSourceOf = ({ caller, source = "", userSource }: Call): string | undefined =>
  caller !== undefined && isLoginClient(caller.access) ? userSource : source;
