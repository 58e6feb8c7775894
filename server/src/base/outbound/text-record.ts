import { Resolver } from "node:dns/promises";
import type { FairTurns } from "../budget/fair-turns.ts";
import { currentPayer } from "../budget/payer.ts";
import { QueueFull } from "../budget/semaphore.ts";
import { createLookupTurns, longestLookup, patience } from "./lookup-turns.ts";
import { OutboundError } from "./outbound-error.ts";

/** Whether a TXT record of the name has the value. Rejects with an OutboundError when the lookup gets no turn. */
export type HasTextRecord = (name: string, value: string) => Promise<boolean>;

/**
 * Queries the system's DNS servers, or the given ones (`127.0.0.1:5353`). The lookups take turns with those of
 * addresses. A failed lookup counts as no record.
 */
export function createHasTextRecord({
  servers = [],
  turns = createLookupTurns(),
}: {
  readonly servers?: readonly string[];
  readonly turns?: FairTurns;
} = {}): HasTextRecord {
  return async (name, value) => {
    const signal = AbortSignal.timeout(longestLookup);
    const records = await turns
      .run(currentPayer(), () => ask(name, servers, signal).catch(() => []), signal)
      .catch((error: unknown) => {
        const isWithoutTurn = error instanceof QueueFull || (signal.aborted && error === signal.reason);
        throw isWithoutTurn ? new OutboundError("overloaded", { cause: error }) : error;
      });
    // RFC 7208 §3.3: the strings of one record are concatenated.
    return records.some((strings) => strings.join("").trim() === value);
  };
}

async function ask(name: string, servers: readonly string[], signal: AbortSignal): Promise<string[][]> {
  const resolver = new Resolver(patience);
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await resolver.resolveTxt(name);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
