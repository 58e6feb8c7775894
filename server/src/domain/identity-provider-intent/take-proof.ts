import type { TakeProof } from "../identity-provider-link/index.ts";
import { consumeProof } from "./identity-intent.store.ts";

/**
 * Step: consumes a proof that the user read, with its token, an attempt in which the account signed in. Each proof
 * serves one link; false when there is none.
 */
export const takeProof: TakeProof = async (tx, proof) => (await consumeProof(tx, proof)) !== undefined;
