import type { Client } from "../domain/application/index.ts";
import { isFapiAlgorithm } from "../domain/oidc-configuration/index.ts";
import type { ActiveToken } from "../domain/token/index.ts";
import type { CheckedProof } from "./dpop-verifier.ts";

/** The key of a token's sender: what a proof showed, or `any key` where it does not matter. */
export type ProvenKey = Pick<CheckedProof, "thumbprint" | "algorithm"> | "any key";

/**
 * Whether the sender may use the token (RFC 9449 §7.1, §7.2): a bound token with its key, a bearer token without one.
 * `client` is the application that the token was issued to; undefined where it was none.
 */
export function isHolder(
  { keyThumbprint }: Pick<ActiveToken, "keyThumbprint">,
  proven: ProvenKey | undefined,
  client: Pick<Client, "profile"> | undefined,
): boolean {
  if (proven === "any key") return true;
  if (proven !== undefined && !mayProveBy(client, proven.algorithm)) return false;
  return keyThumbprint === proven?.thumbprint;
}

/**
 * Whether a client may sign proofs with an algorithm. One with the FAPI 2.0 profile may not use every algorithm,
 * neither where tokens are issued nor where they are used (FAPI 2.0 Security Profile §5.4.1).
 */
export const mayProveBy = (
  client: Pick<Client, "profile"> | undefined,
  algorithm: CheckedProof["algorithm"],
): boolean => client?.profile !== "fapi2" || isFapiAlgorithm(algorithm);
