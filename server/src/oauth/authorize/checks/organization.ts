import { resolveOrganization } from "../../../authority/index.ts";
import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";

/** Checks the organization that a scope names. */
export const checkOrganization = async ({
  deps,
  call,
  scope,
}: Pick<Asked, "deps" | "call"> & Settled<"scope">): Promise<Settled<"organizationId">> => ({
  organizationId: await resolveOrganization(deps, call, scope),
});
