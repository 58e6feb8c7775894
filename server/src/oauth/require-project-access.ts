import { OAuthError } from "../base/oauth-error.ts";
import type { Call } from "../call/index.ts";
import type { Client } from "../domain/application/index.ts";
import { checkProjectAccess } from "../domain/authorization/index.ts";
import type { Session } from "../domain/session/index.ts";
import { type RecordDeps, recordFailedSignIn } from "../domain/sign-in-attempt/index.ts";

/**
 * Throws the OAuthError `access_denied` for a user who may not use the application, and tells administrators that this
 * is why the sign-in failed.
 */
export async function requireProjectAccess(
  deps: RecordDeps,
  call: Call,
  client: Client,
  { userId = "", organizationId = "", sessionId, userAgent }: Session,
): Promise<void> {
  const access = await checkProjectAccess(deps.database.read, call.instanceId, {
    userId,
    userOrganizationId: organizationId,
    project: client,
  });
  if (access === "allowed") return;
  await recordFailedSignIn(deps, call, {
    user: { userId, organizationId },
    clientId: client.clientId,
    sessionId,
    userAgent,
    steps: [{ check: "application", outcome: "not_allowed", setting: "project_access" }],
  });
  throw new OAuthError("access_denied", "the user may not use this application");
}
