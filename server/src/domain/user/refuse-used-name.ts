import { Fault } from "../../base/fault.ts";
import type { Reader } from "../../database/index.ts";
import { findOwnerOfDomain } from "../organization/index.ts";
import { parseEmail } from "./identifier.ts";
import { isNameInUse } from "./login-name.store.ts";

/**
 * Step: refuses an e-mail address as the name of somebody new whom nobody vouches for: when it is a name or an address of anybody in the instance,
 * or would be a name in another organization's domain. Who signs in with a bare name would otherwise be two people, or somebody else.
 */
export async function refuseUsedName(
  reader: Reader,
  instanceId: string,
  { organizationId, email }: { readonly organizationId: string; readonly email: string },
): Promise<void> {
  const { key } = parseEmail(email, "email");
  const owner = await findOwnerOfDomain(reader, instanceId, key.slice(key.lastIndexOf("@") + 1));
  const isForeign = owner !== undefined && owner !== organizationId;
  if (isForeign || (await isNameInUse(reader, instanceId, key))) {
    throw new Fault("already_exists", "user.name_unavailable", { field: "email" });
  }
}
