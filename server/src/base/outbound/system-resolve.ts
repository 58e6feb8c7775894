import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { platform } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import type { FairTurns } from "../budget/fair-turns.ts";
import { currentPayer } from "../budget/payer.ts";
import { createFindHost, type FindHost } from "./hosts-file.ts";
import { createLookupTurns, longestLookup, patience } from "./lookup-turns.ts";
import { createSearchNames } from "./search-names.ts";

/** Resolves the addresses of a name. Rejects when the signal is aborted; the caller's deadline ends the lookup. */
export type Resolve = (host: string, signal?: AbortSignal) => Promise<readonly LookupAddress[]>;

export interface ResolveOptions {
  /** DNS servers (`127.0.0.1:5353`); the system's when absent or empty. */
  readonly servers?: readonly string[];
  /** Shared with other lookups. */
  readonly turns?: FairTurns;
  readonly hostsFile?: string;
  readonly resolverFile?: string;
  /** Milliseconds, from any origin. */
  readonly now?: () => number;
}

const isWindows = platform === "win32";
const systemHosts = isWindows ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/** How long the addresses of the other family are waited for (RFC 8305 §3 waits 50 ms). */
const otherFamilyMilliseconds = 250;
const cached = { mostNames: 2_000, mostSeconds: 30 } as const;

/**
 * Creates the resolver for all outbound connections. It asks the DNS servers itself: the system's `getaddrinfo` blocks
 * a thread of the pool that also hashes passwords and writes logs to the disk, for as long as a stranger's name server
 * likes. The hosts file and the search domains are honored as there. Lookups are divided by payer, so that silent name
 * servers delay only those who named them.
 */
export function createSystemResolve(options: ResolveOptions = {}): Resolve {
  const { servers = [], hostsFile = systemHosts, resolverFile = "/etc/resolv.conf" } = options;
  const now = options.now ?? (() => performance.now());
  const turns = options.turns ?? createLookupTurns();
  const findHost = createFindHost({ file: hostsFile, now });
  const searchNames = createSearchNames({ file: resolverFile, now });
  const kept = createKept(now);
  return async (host, signal = AbortSignal.timeout(longestLookup)) => {
    const name = host.toLowerCase().replace(/\.$/, "");
    const near = await findNear(name, { findHost, kept });
    if (near !== undefined) return near;
    const names = host.endsWith(".") ? [name] : await searchNames(name);
    const found = await turns.run(currentPayer(), () => askInTurn(names, servers, signal), signal);
    kept.put(name, found);
    return found.addresses;
  };
}

interface Found {
  readonly addresses: readonly LookupAddress[];
  readonly seconds: number;
}

interface Kept {
  get(name: string): readonly LookupAddress[] | undefined;
  put(name: string, found: Found): void;
}

async function findNear(name: string, { findHost, kept }: { readonly findHost: FindHost; readonly kept: Kept }) {
  const stated = await findHost(name);
  return stated.length > 0 ? stated : kept.get(name);
}

// Every connection checks the address that it reached, so a kept answer misleads for no longer than its record says.
function createKept(now: () => number): Kept {
  const entries = new Map<string, { readonly addresses: readonly LookupAddress[]; readonly until: number }>();
  return {
    get: (name) => {
      const entry = entries.get(name);
      return entry !== undefined && now() < entry.until ? entry.addresses : undefined;
    },
    put: (name, { addresses, seconds }) => {
      const lifetime = Math.min(seconds, cached.mostSeconds) * 1000;
      if (addresses.length === 0 || lifetime <= 0) return;
      entries.delete(name);
      entries.set(name, { addresses, until: now() + lifetime });
      if (entries.size > cached.mostNames) entries.delete(entries.keys().next().value ?? "");
    },
  };
}

async function askInTurn(names: readonly string[], servers: readonly string[], signal: AbortSignal): Promise<Found> {
  // A resolver of its own for each lookup: canceling one does not touch another, and changed servers are seen at once.
  const resolver = new Resolver(patience);
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    let last = new Error("no name was asked for");
    for (const name of names) {
      try {
        const found = await ask(resolver, name);
        if (found.addresses.length > 0) return found;
      } catch (error) {
        if (error instanceof Error) last = error;
      }
      signal.throwIfAborted();
    }
    throw last;
  } finally {
    signal.removeEventListener("abort", cancel);
    // Ends the query for the other family, which is no longer waited for.
    resolver.cancel();
  }
}

async function ask(resolver: Resolver, name: string): Promise<Found> {
  const found: Found[] = [];
  const failures: unknown[] = [];
  const keep = (family: 4 | 6) => (records: readonly { readonly address: string; readonly ttl: number }[]) => {
    if (records.length > 0) found.push(toFound(records, family));
  };
  const fail = (error: unknown): void => void failures.push(error);
  const families = [
    resolver.resolve4(name, { ttl: true }).then(keep(4), fail),
    resolver.resolve6(name, { ttl: true }).then(keep(6), fail),
  ];
  const both = Promise.all(families);
  await Promise.race(families);
  const stop = new AbortController();
  const pause = wait(otherFamilyMilliseconds, undefined, { signal: stop.signal }).catch(() => undefined);
  await (found.length === 0 ? both : Promise.race([both, pause]));
  stop.abort();
  if (found.length === 0 && failures.length > 0) throw failures[0];
  return {
    addresses: found.flatMap(({ addresses }) => addresses),
    seconds: Math.min(...found.map(({ seconds }) => seconds)),
  };
}

const toFound = (records: readonly { readonly address: string; readonly ttl: number }[], family: 4 | 6): Found => ({
  addresses: records.map(({ address }) => ({ address, family })),
  seconds: Math.min(...records.map(({ ttl }) => ttl)),
});
