import { authorize, type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findOrganization } from "../organization/index.ts";
import { findUserScope } from "../user/index.ts";

/** Authorizes callers who may read or change the flags of an organization. The contract has no such flags yet. */
export async function authorizeOrganizationFeatures(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly organizationId: string; readonly verb: "read" | "write" | "delete" },
): Promise<void> {
  const { organizationId, verb } = input;
  authorize(call, await findOrganization(deps.database.read, call.instanceId, organizationId), {
    permission: `org.feature.${verb}`,
    readPermission: "org.read",
    absent: "organization.not_found",
    isOwn: verb === "read" && requireCaller(call).organizationId === organizationId,
  });
}

/** Authorizes callers who may read or change the flags of a user. The contract has no such flags yet. */
export async function authorizeUserFeatures(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly userId: string; readonly verb: "read" | "write" | "delete" },
): Promise<{ readonly organizationId: string }> {
  const { userId, verb } = input;
  const user = await findUserScope(deps.database.read, call.instanceId, userId);
  authorize(call, user, {
    permission: `user.feature.${verb}`,
    readPermission: "user.read",
    absent: "user.not_found",
    isOwn: verb === "read" && requireCaller(call).userId === userId,
  });
  return user;
}
