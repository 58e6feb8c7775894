import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import type { DomainClaim } from "./domain-claim.store.ts";

/** What a later module (`contact`) does with users of other organizations when a domain gets an owner. */
export interface DomainClaims {
  /** Step of the unit of work in which an organization becomes the owner of a domain. */
  readonly begin: (tx: Tx, claim: DomainClaim) => Promise<void>;
  /** After it, where that was too much for one unit: the rest, in units of its own. */
  readonly finish: (call: Call, claim: DomainClaim) => Promise<void>;
}
