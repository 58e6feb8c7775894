import { readResources } from "../../read-resources.ts";
import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";

/** Checks the form of the resources (RFC 8707 §2). */
export const checkResources = ({ parameters }: Pick<Asked, "parameters">): Settled<"resources"> => ({
  resources: readResources(parameters),
});
