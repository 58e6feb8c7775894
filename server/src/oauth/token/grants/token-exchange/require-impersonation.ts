import { isRecord } from "../../../../base/json.ts";
import { OAuthError } from "../../../../base/oauth-error.ts";
import { mayImpersonate } from "../../../../domain/administrator-access/index.ts";
import { levelOfToken, loadCallerAccess } from "../../../../domain/session/index.ts";
import { isImpersonationOn } from "../../../../domain/settings/index.ts";
import type { AuthenticatedClient } from "../../../client-authentication/authenticate-client.ts";
import type { GrantContext } from "../../grant.ts";
import type { Party } from "./party.ts";

/** Refuses when the instance does not permit impersonation. */
export async function requireImpersonationOn({ deps, call }: GrantContext): Promise<void> {
  if (!(await isImpersonationOn(deps.database.read, call.instanceId)))
    throw new OAuthError("invalid_request", "impersonation is not allowed");
}

/**
 * Refuses clients that users have to let in: an actor let them in to some of the actor's own data, and never to that of
 * every user for whom the actor may act.
 */
export function requireTrustedClient({ isConsentRequired }: AuthenticatedClient): void {
  if (isConsentRequired) throw new OAuthError("invalid_request", "a client that needs consent may not impersonate");
}

/**
 * Refuses an actor token that does not carry the permission to act for others. A user who has it signs in to many
 * applications, and each of them could otherwise act for every user for whom that user may.
 */
export function requirePermissionsOf({ carriesPermissions }: Party): void {
  if (!carriesPermissions) {
    throw new OAuthError("invalid_request", "the client is not trusted with the permissions of the actor");
  }
}

/**
 * Refuses a token that an administrator got as a user: as that user they act for no further user, and it has no further
 * actors.
 */
export function requireOwnToken({ sources }: Party): void {
  if (sources.some(({ kind }) => kind === "impersonation")) {
    throw new OAuthError("invalid_request", "a token of an impersonation is not for further actors");
  }
}

/**
 * Refuses an actor who may not act for the subject, with the sign-in behind the actor's token. The sentence is the same
 * for an unknown subject, so that ids cannot be probed.
 */
export async function requireMayActFor(
  { deps, call, issuer }: GrantContext,
  subject: Party | undefined,
  actor: Party,
): Promise<void> {
  const { userId, organizationId } = subject ?? { userId: "", organizationId: "" };
  const { access } = await loadCallerAccess(deps, call, { identity: identityOf(actor), level: levelOfToken(actor) });
  const input = { access, userId, organizationId };
  const isPermitted = await mayImpersonate(deps.database.read, call.instanceId, input);
  if (subject === undefined || !isPermitted || !isNamedByMayAct(subject.mayAct, actor, issuer)) {
    throw new OAuthError("invalid_request", "the actor may not act for the subject");
  }
}

const identityOf = ({ userId, organizationId, sessionId }: Party) => ({
  userId,
  organizationId,
  ...(sessionId !== undefined && { sessionId }),
});

/** RFC 8693 §4.4: where the subject's token names its permitted actor, every member must match the actor. */
function isNamedByMayAct(mayAct: unknown, actor: Party, issuer: string): boolean {
  if (mayAct === undefined) return true;
  if (!isRecord(mayAct)) return false;
  const facts: Readonly<Record<string, string | undefined>> = {
    sub: actor.userId,
    iss: issuer,
    client_id: actor.clientId,
  };
  const members = Object.entries(mayAct);
  return members.length > 0 && members.every(([name, value]) => value !== undefined && facts[name] === value);
}
