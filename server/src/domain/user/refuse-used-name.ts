import { Fault } from "../../base/fault.ts";
import type { Reader } from "../../database/index.ts";
import { findOwnerOfDomain } from "../organization/index.ts";
import { parseEmail } from "./identifier.ts";
import { isNameInUse } from "./login-name.store.ts";

/** An address as the name of somebody new. */
interface NewName {
  readonly organizationId: string;
  readonly email: string;
}

/**
 * Step: refuses an e-mail address as the name of somebody new whom nobody vouches for: when it is a name or an address of anybody in the instance,
 * or would be a name in another organization's domain. Who signs in with a bare name would otherwise be two people, or somebody else.
 */
export async function refuseUsedName(reader: Reader, instanceId: string, name: NewName): Promise<void> {
  await refuseForeignName(reader, instanceId, name);
  if (await isNameInUse(reader, instanceId, parseEmail(name.email, "email").key)) throw unavailable();
}

/** Step: the part of it that tells nothing about anybody: an address in another organization's domain, whether somebody has it or not. */
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
