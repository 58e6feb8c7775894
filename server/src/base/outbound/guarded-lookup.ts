import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { createSemaphore, QueueFull } from "../semaphore.ts";
import { OutboundError } from "./outbound-error.ts";

/** Resolves the addresses of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Uses the system's resolver, which knows the hosts file and search domains. It blocks a thread of the pool that also
 * hashes passwords and writes logs to the disk, so at most two lookups run at a time.
 */
export function createSystemResolve(): Resolve {
  const turns = createSemaphore({ permits: 2, queueLimit: 256 });
  return (host) => turns.run(() => lookup(host, { all: true, order: "verbatim" }));
}

/** Returns a lookup for one connection that yields only allowed addresses. */
export function guardedLookup(resolve: Resolve, mayReach: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    const found = async (): Promise<readonly LookupAddress[]> => {
      const addresses = await resolve(host);
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
      (error: unknown) => callback(refusal(error), []),
    );
  };
}

function refusal(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  return new OutboundError(error instanceof QueueFull ? "overloaded" : "name_not_found", { cause: error });
}
