import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { countPersonalAccessTokens } from "./personal-access-token.store.ts";
import { countUserKeys } from "./user-key.store.ts";

/** How many keys, and how many personal access tokens, of an account may be valid at a time. */
const most = 100;

const counts = { keys: countUserKeys, tokens: countPersonalAccessTokens } as const;

/**
 * Refuses a service account one more key or token than it may have. Those that exist stay. Callers that add one hold
 * the user, so that two units do not add the last one.
 */
export async function refuseTooMany(
  reader: Reader,
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  { userId, field }: { readonly userId: string; readonly field: keyof typeof counts },
): Promise<void> {
  if ((await counts[field](reader, instanceId, { userId, now, most })) < most) return;
  throw new Fault("failed_precondition", "field.too_many", { field, values: { field, maximum: most } });
}
