import { createLookupTurns } from "./lookup-turns.ts";
import { createSystemResolve, type Resolve } from "./system-resolve.ts";
import { createHasTextRecord, type HasTextRecord } from "./text-record.ts";

/** Creates the lookups of addresses and of TXT records, which share their turns. `servers`: as in `ResolveOptions`. */
export function createLookups({ servers }: { readonly servers: readonly string[] }): {
  readonly resolve: Resolve;
  readonly hasTextRecord: HasTextRecord;
} {
  const dns = { servers, turns: createLookupTurns() };
  return { resolve: createSystemResolve(dns), hasTextRecord: createHasTextRecord(dns) };
}
