import { foldCase } from "../../base/names/fold-case.ts";
import type { Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { compactPhone } from "../login-name/index.ts";
import { type FoundUser, findUsersByBeginning } from "../user-search/index.ts";
import { type Hit, mostOfKind, type Wanted } from "./hit.ts";

/** Finds users and service accounts by what they are called, and by id. */
export async function findUsers(reader: Reader, call: Call, wanted: Wanted): Promise<Hit[]> {
  const { text: value, organizationId } = wanted;
  const users = await findUsersByBeginning(reader, call, { value, organizationId, limit: 2 * mostOfKind });
  return users.map((user) => ({
    kind: user.kind === "human" ? "user" : "service_account",
    id: user.userId,
    name: user.displayName,
    detail: detailOf(user, value),
    organizationId: user.organizationId,
    state: user.state,
  }));
}

/** Returns the address or the number by which a user was found, otherwise the login name. */
function detailOf({ displayName, preferredLoginName, email, phone }: FoundUser, value: string): string {
  const begins = (text: string): boolean => foldCase(text).startsWith(foldCase(value));
  if (begins(displayName) || begins(preferredLoginName)) return preferredLoginName;
  if (email !== null && begins(email)) return email;
  if (phone?.startsWith(compactPhone(value)) === true) return phone;
  return preferredLoginName;
}
