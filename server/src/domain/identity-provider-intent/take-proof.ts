import type { TakeProof } from "../identity-provider-link/index.ts";
import { consumeProof } from "./identity-intent.store.ts";

/** Step: whether the user read, with its token, an attempt in which the account signed in; one such proof is good for one link. */
export const takeProof: TakeProof = async (tx, proof) => (await consumeProof(tx, proof)) !== undefined;
