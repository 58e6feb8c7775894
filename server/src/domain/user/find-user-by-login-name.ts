import type { Reader } from "../../database/index.ts";
import { findOwnerOfDomain } from "../organization/index.ts";
import type { FoundUser } from "./found-user.ts";
import { parseLoginName } from "./identifier.ts";
import { findUserByUsername, listUsersByBareName } from "./login-name.store.ts";
import { onlyOne } from "./only-one.ts";

/**
 * Finds the user that a login name means, or undefined. `username@domain` with a verified domain of an organization
 * means a user of that organization only, so no user of another one can take the name over. Any other name means the
 * user whose username or verified email address it is, when there is exactly one (one active one, when there are
 * several).
 */
export async function findUserByLoginName(
  reader: Reader,
  instanceId: string,
  loginName: string,
  options: { readonly organizationId?: string | undefined } = {},
): Promise<FoundUser | undefined> {
  const parsed = parseLoginName(loginName);
  if (parsed === undefined) return undefined;
  const { organizationId } = options;
  const owner = parsed.domain === undefined ? undefined : await findOwnerOfDomain(reader, instanceId, parsed.domain);
  if (owner !== undefined && (organizationId === undefined || organizationId === owner)) {
    const qualified = await findUserByUsername(reader, instanceId, owner, parsed.local);
    return qualified ?? findByBareName(reader, instanceId, parsed.key, owner);
  }
  return findByBareName(reader, instanceId, parsed.key, organizationId);
}

const findByBareName = (
  reader: Reader,
  instanceId: string,
  name: string,
  organizationId: string | undefined,
): Promise<FoundUser | undefined> =>
  onlyOne((limit) => listUsersByBareName(reader, instanceId, name, { organizationId, limit }));
