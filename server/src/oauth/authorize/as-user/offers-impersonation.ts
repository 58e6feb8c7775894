import type { Call } from "../../../call/index.ts";
import type { Client } from "../../../domain/application/index.ts";
import { type AuthRequestParameters, isOfRequestedUser } from "../../../domain/auth-request/index.ts";
import { findImpersonationHere } from "../../../domain/impersonation/index.ts";
import type { Session } from "../../../domain/session/index.ts";
import type { OAuthDeps } from "../../deps.ts";

/**
 * Whether an administrator in this browser is asked as whom they sign in to the application, because they began to
 * impersonate a user there, and the request names no other user.
 */
export async function offersImpersonation(
  deps: OAuthDeps,
  call: Call,
  asked: {
    readonly client: Client;
    readonly parameters: AuthRequestParameters;
    /** Those that are signed in in the browser. */
    readonly sessions: readonly Session[];
  },
): Promise<boolean> {
  const { client, parameters, sessions } = asked;
  if (sessions.length === 0 || parameters.testId !== undefined) return false;
  const { settings } = await deps.settings.get("security", { instanceId: call.instanceId });
  if (!settings.enableImpersonation) return false;
  const here = await findImpersonationHere(deps.database.read, call, sessions, { clientId: client.clientId });
  return here !== undefined && isOfRequestedUser(here.impersonation, parameters);
}
