import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { QueueFull } from "../budget/semaphore.ts";
import { OutboundError } from "./outbound-error.ts";
import type { Resolve } from "./system-resolve.ts";

/** Returns a lookup for one connection that yields only allowed addresses, and ends when its caller stops waiting. */
export function guardedLookup(
  resolve: Resolve,
  mayReach: (address: string) => boolean,
  signal?: AbortSignal,
): LookupFunction {
  return (host, options, callback) => {
    const found = async (): Promise<readonly LookupAddress[]> => {
      const addresses = await resolve(host, signal);
      const good = addresses.filter(({ address }) => mayReach(address));
      if (good.length === 0) throw new OutboundError(addresses.length === 0 ? "name_not_found" : "address_refused");
      return good;
    };
    found().then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) callback(null, [...addresses]);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: unknown) => callback(refusal(error, signal), []),
    );
  };
}

function refusal(error: unknown, signal: AbortSignal | undefined): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof QueueFull) return new OutboundError("overloaded", { cause: error });
  return new OutboundError(signal?.aborted === true ? "timed_out" : "name_not_found", { cause: error });
}
