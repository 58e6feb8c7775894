import { Fault } from "../../base/fault.ts";
import type { Reader } from "../../database/index.ts";
import type { FoundUser } from "./found-user.ts";
import { parsePhone } from "./identifier.ts";
import { listUsersByPhone } from "./login-name.store.ts";
import { chooseOne, earliestOf, mostCandidates } from "./only-one.ts";

/**
 * Finds the user with a confirmed phone number, however its digits are grouped: when exactly one user, or one active
 * user, proved it by a code; else the first of those whose number it is on the word of others. So no administrator can
 * keep the owner of a number out. Undefined for input that is not a number with its country code.
 */
export async function findUserByPhone(
  reader: Reader,
  instanceId: string,
  typed: string,
  options: { readonly organizationId?: string | undefined } = {},
): Promise<FoundUser | undefined> {
  const number = readNumber(typed);
  if (number === undefined) return undefined;
  const { organizationId } = options;
  const limit = mostCandidates + 1;
  const users = await listUsersByPhone(reader, instanceId, number, { organizationId, limit });
  const proven = users.filter(({ rank }) => rank === "proven");
  const found = proven.length > 0 ? chooseOne(proven) : earliestOf(users)[0];
  if (found === undefined) return undefined;
  const { rank: _, since: __, ...user } = found;
  return user;
}

function readNumber(typed: string): string | undefined {
  try {
    return parsePhone(typed, "loginName");
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
