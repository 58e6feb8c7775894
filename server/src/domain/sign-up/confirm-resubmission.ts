import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { wasJustRedeemed } from "../one-time-secret/index.ts";
import { findSession } from "../session/index.ts";
import { type BrowserVisit, proceed, type StepOutcome } from "../sign-in/index.ts";
import { findUserScope } from "../user/index.ts";
import type { SignUpDeps } from "./make-account.ts";

/**
 * Answers a code that was sent twice. The first submission created the account of `userId` and gave the browser another
 * secret, which was lost with its answer. The same code from the same browser leads to the same result. Undefined for
 * any other code.
 */
export async function confirmResubmission(
  deps: SignUpDeps,
  call: Call,
  visit: BrowserVisit,
  { userId, loginName, code }: { readonly userId: string; readonly loginName: string; readonly code: string },
): Promise<StepOutcome | undefined> {
  const { read } = deps.database;
  const key = { instanceId: call.instanceId, kind: "sign_up", subjectId: userId } as const;
  if (!(await wasJustRedeemed(read, key, { secret: new Secret(code), now: call.now }))) return undefined;
  const user = await findUserScope(read, call.instanceId, userId);
  const { sessionId } = visit.authRequest ?? {};
  const session = sessionId === undefined ? undefined : await findSession(read, call.instanceId, sessionId);
  if (user?.state !== "active" || session?.userId !== userId || session.terminatedAt !== undefined) return undefined;
  const { organizationId, signInEpoch } = user;
  return proceed(deps, call, visit, { userId, organizationId, loginName, factors: session.factors, signInEpoch });
}
