import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import { type Call, requireCaller, requirePermission, withoutLoginClient } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { requireChoiceOfIdentifier } from "../instance/index.ts";
import type { MetadataEntry } from "../metadata/index.ts";
import { putUserMetadata, readDetails } from "../user/index.ts";
import type { CreatedUser } from "./create-human.ts";
import { createMachineUser, type NewMachineUser } from "./create-machine-user.ts";

/** Creates a service account in an organization. */
export function createMachine(
  deps: { readonly database: Database; readonly newId: IdGenerator },
  call: Call,
  input: NewMachineUser & { readonly metadata: readonly MetadataEntry[] },
): Promise<CreatedUser> {
  requirePermission(call, "user.write", { organizationId: input.organizationId });
  const { access } = requireCaller(call);
  if (!withoutLoginClient(access).allows("user.write", { organizationId: input.organizationId })) {
    // A sign-in application has nothing to do with accounts that never sign in.
    throw new Fault("permission_denied", "user.login_client_machine");
  }
  requireChoiceOfIdentifier(call, "user.write", { identifier: input.userId, field: "userId" });
  return deps.database.change(call, async (tx) => {
    const user = await createMachineUser(tx, deps, input);
    await putUserMetadata(tx, user, input.metadata);
    return { userId: user.userId, details: await readDetails(tx, user) };
  });
}
