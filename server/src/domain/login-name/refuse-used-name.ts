import { Fault } from "../../base/fault.ts";
import type { Reader } from "../../database/index.ts";
import { findOwnerOfDomain } from "../organization/index.ts";
import { parseEmail } from "./identifier.ts";
import { isNameInUse } from "./login-name.store.ts";

/** The address of a new user, used as the name. */
interface NewName {
  readonly organizationId: string;
  readonly email: string;
}

/**
 * Step: refuses an email address as the name of a new user without an administrator behind it. It is refused when any
 * user in the instance proved it by a code, a user of the organization has it as a name or verified address, or it
 * would be a name in another organization's domain. What other organizations merely say of an address does not keep its
 * owner out.
 */
export async function refuseUsedName(reader: Reader, instanceId: string, name: NewName): Promise<void> {
  await refuseForeignName(reader, instanceId, name);
  const { organizationId } = name;
  const wanted = { organizationId, name: parseEmail(name.email, "email").key };
  if (await isNameInUse(reader, instanceId, wanted)) throw unavailable();
}

/**
 * Step: the part of it that reveals nothing about users: refuses an address in another organization's domain, taken or
 * not.
 */
export async function refuseForeignName(
  reader: Reader,
  instanceId: string,
  { organizationId, email }: NewName,
): Promise<void> {
  const { key } = parseEmail(email, "email");
  const owner = await findOwnerOfDomain(reader, instanceId, key.slice(key.lastIndexOf("@") + 1));
  if (owner !== undefined && owner !== organizationId) throw unavailable();
}

const unavailable = (): Fault => new Fault("already_exists", "user.name_unavailable", { field: "email" });
