import { authorityContext, checkTargets } from "../../../authority/index.ts";
import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";

/** Checks that projects and resources exist, and leaves of scope and resources what can be granted. */
export const checkNamedTargets = async ({
  deps,
  call,
  client,
  scope,
  resources,
}: Asked & Settled<"scope" | "resources">): Promise<Settled<"scope" | "resources">> =>
  checkTargets(await authorityContext(deps, call), client, { scope, resources });
