import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findInstance } from "./instance.store.ts";
import type { Instance } from "./instance.ts";

interface WantedOfInstance {
  /** Lets an administrator of the instance act on that instance; only system users may when absent. */
  readonly permission?: "iam.read" | "iam.write";
  /** Lets a system user act on any instance. */
  readonly systemPermission: string;
  /** The field that names the instance; `instanceId` when absent. */
  readonly field?: string;
}

/** Returns the call in the instance that it is about: that of the request, unless another one is named. */
export function callIn(call: Call, instanceId: string | undefined): Call {
  return instanceId === undefined || instanceId === "" ? call : { ...call, instanceId };
}

/**
 * Returns the instance that a call is about, if the caller has the permission there. Roles of one instance mean nothing
 * in another: a caller who names another instance without being a system user is told that it does not exist.
 *
 * @param reached the call as it was received; its roles are those of the instance of the request.
 * @param instanceId the instance that it is about.
 */
export async function authorizeInstance(
  reader: Reader,
  reached: Call,
  instanceId: string,
  { permission, systemPermission, field = "instanceId" }: WantedOfInstance,
): Promise<Instance> {
  const { access } = requireCaller(reached);
  const isSystemUser = access.holdsAnywhere(systemPermission, ["system"]);
  if (!isSystemUser) {
    if (instanceId !== reached.instanceId) throw new Fault("not_found", "instance.not_found", { field });
    if (permission === undefined || !access.allows(permission, {})) {
      throw new Fault("permission_denied", "permission.missing", {
        values: { permission: permission ?? systemPermission },
      });
    }
  }
  const instance = await findInstance(reader, instanceId);
  if (instance === undefined) throw new Fault("not_found", "instance.not_found", { field });
  return instance;
}
