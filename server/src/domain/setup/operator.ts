import type { Instant } from "../../base/clock.ts";
import { principalId } from "../../base/id.ts";
import type { Call } from "../../call/index.ts";
import { createSystemAccess } from "../administrator-access/index.ts";

/** Returns the call of an operator on the host of the server, who may do what an owner of the instance may. */
export function operatorCall(instanceId: string, now: Instant): Call {
  return {
    instanceId,
    requestId: "command-line",
    now,
    language: "en",
    caller: {
      userId: principalId("operator"),
      organizationId: "",
      access: createSystemAccess(["SYSTEM_OWNER", "IAM_OWNER"]),
    },
  };
}
