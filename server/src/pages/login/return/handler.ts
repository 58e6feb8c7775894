import { declineAuthRequest } from "../../../domain/auth-request/index.ts";
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
  await deps.database.touch(visit.call, (tx) => declineAuthRequest(tx, key));
  return seeOther(pathTo(endpointPaths.authorizationCallback, { id: authRequestId }));
};
