import { Resolver } from "node:dns/promises";
import type { FairTurns } from "../budget/fair-turns.ts";
import { currentPayer } from "../budget/payer.ts";
import { createLookupTurns, longestLookup, patience } from "./lookup-turns.ts";

/** Whether a TXT record of the name has the value. */
export type HasTextRecord = (name: string, value: string) => Promise<boolean>;

/**
 * Queries the system's DNS servers, or the given ones (`127.0.0.1:5353`). The lookups take turns with those of
 * addresses. A failed lookup counts as no record, and so does one that gets no turn.
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
    try {
      const records = await turns.run(currentPayer(), () => ask(name, servers, signal), signal);
      // RFC 7208 §3.3: the strings of one record are concatenated.
      return records.some((strings) => strings.join("").trim() === value);
    } catch {
      return false;
    }
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
