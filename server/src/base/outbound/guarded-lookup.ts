import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { createSemaphore, QueueFull } from "../semaphore.ts";
import { OutboundError } from "./outbound-error.ts";

/** Tells the addresses of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Asks the system's resolver, which knows the hosts file and search domains. It blocks a thread of the pool that also hashes passwords and
 * writes logs to the disk, so two slow names at a time are all that strangers can make us wait for.
 */
export function createSystemResolve(): Resolve {
  const turns = createSemaphore({ permits: 2, queueLimit: 256 });
  return (host) => turns.run(() => lookup(host, { all: true, order: "verbatim" }));
}

/** A lookup for one connection that only ever gives addresses that may be reached. */
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
