import type { Tx } from "../../database/index.ts";
import { advanceFamily } from "./token-family.store.ts";
import { familyAggregate, type TokenFamily } from "./token-family.ts";

/** What was exchanged for what (RFC 8693 §2.1), for the audit. */
export interface ExchangeRecord {
  readonly subjectTokenType: string;
  readonly actorTokenType: string | undefined;
  readonly requestedTokenType: string;
  /** Client that the subject token was issued to, where it says so. */
  readonly subjectClientId: string | undefined;
}

/** Step: records that a family came from a token exchange: client, subject, and all actors. */
export async function recordExchange(tx: Tx, family: TokenFamily, exchange: ExchangeRecord): Promise<void> {
  const sequence = await advanceFamily(tx, family.familyId);
  if (sequence === undefined) throw new Error(`token family ${family.familyId} does not exist`);
  const { clientId, userId, actor, scope, audience } = family;
  tx.record({
    type: "token_family.exchanged",
    ...familyAggregate({ familyId: family.familyId, ownerId: tx.instanceId }),
    sequence,
    payload: { clientId, userId, actor, scope, audience, ...exchange },
  });
}
