import type { Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { loadAccess, maySignInAs } from "../administrator-access/index.ts";
import type { Session } from "../session/index.ts";
import { isImpersonationOn } from "../token/index.ts";
import { findOpen, type ImpersonationKey } from "./impersonation.store.ts";
import type { Impersonation } from "./impersonation.ts";

/**
 * Finds an impersonation while everything that it was begun with still holds, by the rows of now: it has not ended, its
 * session is live, both users and their organizations are active, the instance and the organization of the user permit
 * it, and the administrator still has the permission and at least the permissions of the user.
 */
export async function findOpenImpersonation(
  reader: Reader,
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  key: ImpersonationKey,
): Promise<Impersonation | undefined> {
  const found = await findOpen(reader, { instanceId, now }, key);
  if (found === undefined || !(await isImpersonationOn(reader, instanceId))) return undefined;
  const { userId, organizationId, actorId } = found;
  // The sign-in of the administrator was judged when it began.
  const access = await loadAccess(reader, instanceId, actorId);
  return (await maySignInAs(reader, instanceId, { access, userId, organizationId })) ? found : undefined;
}

/** An impersonation in the browser of its administrator, with their session there. */
export interface ImpersonationHere {
  readonly impersonation: Impersonation;
  readonly session: Session;
}

/**
 * Finds the impersonation that a browser may use, by the sessions that are signed in there: for one application, or by
 * its id.
 */
export async function findImpersonationHere(
  reader: Reader,
  call: Pick<Call, "instanceId" | "now">,
  sessions: readonly Session[],
  wanted: { readonly clientId: string } | { readonly impersonationId: string },
): Promise<ImpersonationHere | undefined> {
  if (sessions.length === 0) return undefined;
  const sessionIds = sessions.map(({ sessionId }) => sessionId);
  const impersonation = await findOpenImpersonation(reader, call, { ...wanted, sessionIds } as ImpersonationKey);
  const session = sessions.find(({ sessionId }) => sessionId === impersonation?.sessionId);
  return impersonation && session && { impersonation, session };
}
