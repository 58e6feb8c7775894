import { declineAuthRequest } from "../../../domain/auth-request/index.ts";
import { deleteSignIn, isProvenState } from "../../../domain/sign-in/index.ts";
import { recordSignInAttempt, takeFailureRecord } from "../../../domain/sign-in-attempt/index.ts";
import { endpointPaths } from "../../../web/index.ts";
import { pathTo, seeOther } from "../../visit/answer.ts";
import type { FormHandler } from "../../visit/handlers.ts";
import { findFlow, inFlow, isFlow } from "../flow/flow.ts";

/** `/ui/login/return`: returns to the application without signing in, and tells it so. */
export const takeReturn: FormHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { authRequestId, steps } = flow;
  if (authRequestId === undefined) return seeOther(inFlow(flow, "/ui/login"));
  const key = { authRequestId, browserHash: steps.browserHash };
  const { signIn } = flow;
  const { attemptId, userId, userOrganizationId: organizationId, loginName } = signIn;
  // Who only entered a name has not attempted anything, and may be anyone.
  const isProven = isProvenState(signIn.state);
  const allowance = isProven ? takeFailureRecord(deps, visit.call, loginName) : undefined;
  await deps.database.touch(visit.call, async (tx) => {
    if (!(await declineAuthRequest(tx, key))) return;
    // Its request waits no more, so nothing else would bound how many of them a browser has.
    await deleteSignIn(tx, key);
    if (allowance === undefined || attemptId === undefined) return;
    if (userId === undefined || organizationId === undefined) return;
    const { userAgent, authRequest } = steps;
    const about = { attemptId, user: { userId, organizationId }, clientId: authRequest?.clientId, userAgent };
    const canceled = { check: "request", outcome: "canceled" } as const;
    recordSignInAttempt(tx, { ...about, result: "failed", allowance, steps: [canceled] });
  });
  return seeOther(pathTo(endpointPaths.authorizationCallback, { id: authRequestId }));
};
