import { Fault } from "../../base/fault.ts";
import type { Reader } from "../../database/index.ts";
import type { FoundUser } from "./found-user.ts";
import { parsePhone } from "./identifier.ts";
import { listUsersByPhone, type UserOfPhone } from "./login-name.store.ts";
import { activeFirst, bestOf, chooseOne, findHolders, mostCandidates } from "./only-one.ts";

/**
 * Finds the user with a confirmed phone number, however its digits are grouped: an active one, if there is one. Of
 * several the first who proved it by a code; otherwise as `findUserByLoginName` decides between organizations. So no
 * administrator can keep the owner of a number out. With `isProven` only one who proved it. Undefined for input that is
 * not a number with its country code.
 */
export async function findUserByPhone(
  reader: Reader,
  instanceId: string,
  typed: string,
  options: { readonly organizationId?: string | undefined; readonly isProven?: boolean } = {},
): Promise<FoundUser | undefined> {
  const number = readNumber(typed);
  if (number === undefined) return undefined;
  const list = (organizationId: string | undefined): Promise<UserOfPhone[]> =>
    listUsersByPhone(reader, instanceId, number, { organizationId, limit: mostCandidates });
  const users = activeFirst(await list(options.organizationId), () => true);
  const proven = users.filter(({ rank }) => rank === "proven");
  const isByWord = proven.length === 0 && options.isProven !== true;
  const found = isByWord ? bestOf(await narrow(users, list))[0] : chooseOne(proven);
  if (found === undefined) return undefined;
  const { rank: _, reach: __, since: ___, ...user } = found;
  return user;
}

async function narrow(
  users: readonly UserOfPhone[],
  list: (organizationId: string) => Promise<readonly UserOfPhone[]>,
): Promise<readonly UserOfPhone[]> {
  const holders = findHolders(users);
  if (holders === undefined) return [];
  if (holders.by === "reach") return holders.users;
  return holders.isContested ? activeFirst(await list(holders.organizationId), () => true) : users;
}

function readNumber(typed: string): string | undefined {
  try {
    return parsePhone(typed, "loginName");
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
