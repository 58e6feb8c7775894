import type { Call } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import { type StoredFeatures, setFeatures } from "../../../../domain/feature/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";

/** Sets the one flag that version 1 knows, by means of the operation of version 2. */
export function methodsOfInstanceFeature(deps: { readonly database: Database }) {
  const set = (call: Call, value: boolean, instanceId?: string) =>
    setFeatures(deps, call, {
      level: "instance",
      flags: { loginDefaultOrg: value },
      ...(instanceId !== undefined && { instanceId }),
    });
  const answer = (instanceId: string, stored: StoredFeatures | undefined) => ({
    details: stored && toObjectDetails({ ...stored.details, ownerId: instanceId }),
  });
  return { set, answer };
}
