import { addressKey } from "../../../base/names/address-key.ts";
import { shownLoginName } from "../../../base/names/shown-login-name.ts";
import { findMeaning } from "../../../domain/login-name/index.ts";
import { findOwnerOfDomain } from "../../../domain/organization/index.ts";
import { isHinted, isProvenState } from "../../../domain/sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Flow } from "./flow.ts";

/**
 * Returns the name of an attempt for the pages that follow: the short one (`shownLoginName`), unless it could pass for
 * another user's. So a name that a link filled in is shown whole, and so is one whose short form means another user.
 * That is looked up only once the user has authenticated: nothing may tell which names others have. Before, every name
 * with the domain of an organization other than the default one is shown whole.
 */
export async function shownNameOf(deps: PageDeps, { visit: { call }, steps, signIn }: Flow): Promise<string> {
  const { loginName, userId, state } = signIn;
  const { instanceId } = call;
  const { read } = deps.database;
  const short = shownLoginName(loginName);
  if (short === loginName || isHinted(steps, loginName)) return loginName;
  if (isProvenState(state)) {
    const { user } = await findMeaning(read, instanceId, short);
    return user === undefined || user.userId === userId ? short : loginName;
  }
  const owner = await findOwnerOfDomain(read, instanceId, addressKey(loginName).split("@").at(-1) ?? "");
  const { defaultOrganizationId } = (await deps.findInstanceById(instanceId)) ?? {};
  return owner !== undefined && owner === defaultOrganizationId ? short : loginName;
}
