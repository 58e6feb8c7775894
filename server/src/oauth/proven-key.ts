import type { ActiveToken } from "../domain/token/index.ts";

/** The key of a token's sender: the proven thumbprint, or `any key` where it does not matter. */
export type ProvenKey = { readonly thumbprint: string } | "any key";

/**
 * Whether the sender may use the token (RFC 9449 §7.1, §7.2): a bound token with its key, a bearer token without one.
 */
export function isHolder(
  { keyThumbprint }: Pick<ActiveToken, "keyThumbprint">,
  proven: ProvenKey | undefined,
): boolean {
  return proven === "any key" || keyThumbprint === proven?.thumbprint;
}
