import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type AuthRequest, findFormerAuthRequest } from "../auth-request/index.ts";
import { findSession } from "../session/index.ts";
import { findSignIn } from "./sign-in.store.ts";
import { type CurrentSignIn, unnamed } from "./state.ts";

/** What a resubmitted form was about. */
export interface Resubmission {
  readonly authRequest: AuthRequest;
  /** State of the attempt when the browser sent the form, as far as it still matters. */
  readonly signIn: CurrentSignIn;
}

/**
 * Finds the request of a form that was sent twice. The first submission replaced the browser's secret, and its answer
 * was lost (see `takeBrowser`). Reveals nothing: it only leads to a check of the same password again.
 */
export async function findResubmission(
  { database }: { readonly database: Database },
  call: Call,
  key: { readonly authRequestId: string; readonly browserHash: string },
): Promise<Resubmission | undefined> {
  const { authRequestId, browserHash } = key;
  const { read } = database;
  const former = await findFormerAuthRequest(
    read,
    call.instanceId,
    { authRequestId, formerBrowserHash: browserHash },
    call.now,
  );
  if (former === undefined) return undefined;
  const { request } = former;
  const attempt = await findSignIn(read, call.instanceId, { authRequestId, browserHash: former.browserHash }, call.now);
  // What was proven since does not count for this form: it has to prove everything again.
  if (attempt?.userId !== undefined) return { authRequest: request, signIn: { ...attempt, factors: {} } };
  const session =
    request.sessionId === undefined ? undefined : await findSession(read, call.instanceId, request.sessionId);
  if (session?.userId === undefined) return undefined;
  const { userId, organizationId: userOrganizationId } = session;
  return { authRequest: request, signIn: { ...unnamed, state: "identified", userId, userOrganizationId } };
}
