import type { ActiveToken } from "../domain/token/index.ts";

/** What is known of the key of whoever has the token: the thumbprint that was proven, or that it does not matter here. */
export type ProvenKey = { readonly thumbprint: string } | "any key";

/** Whether the token is good in these hands (RFC 9449 §7.1, §7.2): a bound token with its key, a bearer token with none. */
export function isHolder(
  { keyThumbprint }: Pick<ActiveToken, "keyThumbprint">,
  proven: ProvenKey | undefined,
): boolean {
  return proven === "any key" || keyThumbprint === proven?.thumbprint;
}
