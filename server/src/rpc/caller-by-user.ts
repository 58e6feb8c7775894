import { Fault } from "../base/fault.ts";
import type { Call, Caller } from "../call/index.ts";
import type { Database } from "../database/index.ts";
import { loadAccess } from "../domain/administrator-access/index.ts";
import { findUserScope } from "../domain/user/index.ts";
import { limitAccess } from "./authority/limit.ts";

/**
 * Creates what returns a caller whose credential was ended by their own call, as they are now: a user who is active,
 * with the roles committed now. The call had begun with the credential, and goes on by what the user may do.
 */
export const createCallerByUser =
  ({ database }: { readonly database: Pick<Database, "read"> }) =>
  async ({ instanceId }: Call, caller: Caller): Promise<Caller> => {
    const { userId, rights } = caller;
    const user = await findUserScope(database.read, instanceId, userId);
    if (user?.state !== "active" || user.organizationState !== "active") {
      throw new Fault("unauthenticated", "authentication.invalid_token");
    }
    const access = await loadAccess(database.read, instanceId, userId);
    return { ...caller, access: rights === undefined ? access : limitAccess(access, rights) };
  };
