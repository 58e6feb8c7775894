import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";
import { keepSupported } from "../supported-contexts.ts";

/**
 * Settles what is asked of `acr`: by the claim, otherwise by `acr_values`, otherwise by the client's defaults (OpenID
 * Connect Dynamic Client Registration §2). Unknown values are ignored.
 */
export function settleContext({
  parameters,
  client,
  claims,
}: Pick<Asked, "parameters" | "client"> & Settled<"claims">): Settled<"context"> {
  if (claims.context !== undefined) return { context: claims.context };
  const acrValues = keepSupported(parameters.get("acr_values")?.split(" ") ?? client.defaultAcrValues);
  return { context: acrValues.length === 0 ? {} : { acrValues } };
}
