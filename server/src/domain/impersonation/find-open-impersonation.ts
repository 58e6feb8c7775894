import type { Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { loadAccess, maySignInAs } from "../administrator-access/index.ts";
import type { Session } from "../session/index.ts";
import { isImpersonationOn } from "../settings/index.ts";
import { findOpen, type ImpersonationKey } from "./impersonation.store.ts";
import type { Impersonation } from "./impersonation.ts";
import { judgeApplication } from "./judge-application.ts";

/** Finds an impersonation that is upheld and has not expired. */
export async function findOpenImpersonation(
  reader: Reader,
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  key: ImpersonationKey,
): Promise<Impersonation | undefined> {
  const found = await findOpen(reader, { instanceId, now }, key);
  return found && (await isUpheld(reader, instanceId, found)) ? found : undefined;
}

/** Finds an impersonation that is upheld, for tokens of it: their own expiry is no later than its end. */
export async function findUpheldImpersonation(
  reader: Reader,
  instanceId: string,
  impersonationId: string,
): Promise<Impersonation | undefined> {
  const found = await findOpen(reader, { instanceId, now: undefined }, { impersonationId });
  return found && (await isUpheld(reader, instanceId, found)) ? found : undefined;
}

/**
 * The one rule for how long an impersonation lives, and everything that was issued in it: while everything that it was
 * begun with still holds, by the rows of now. `findOpen` has asked whether it was ended, its session is live, and both
 * users and their organizations are active. The instance and the organization of the user permit it, the administrator
 * still has the permission and at least the permissions of the user, and the user could sign in to the application.
 */
async function isUpheld(
  reader: Reader,
  instanceId: string,
  { userId, organizationId, actorId, clientId }: Impersonation,
): Promise<boolean> {
  if (!(await isImpersonationOn(reader, instanceId))) return false;
  // The sign-in of the administrator was judged when it began.
  const access = await loadAccess(reader, instanceId, actorId);
  if (!(await maySignInAs(reader, instanceId, { access, userId, organizationId }))) return false;
  return (await judgeApplication(reader, instanceId, { clientId, userId, organizationId })) === "suitable";
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
