import type { LookupAddress } from "node:dns";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { seconds } from "../clock.ts";
import { isLocalhostName } from "./loopback.ts";

/** Returns the addresses that this machine itself states for a name; empty when it states none. */
export type FindHost = (name: string) => Promise<readonly LookupAddress[]>;

/** How long the file counts as read. */
const freshness = seconds(30);

const loopback: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Creates the lookup in the hosts file (hosts(5)). `localhost` and all names below it are this machine.
 */
export function createFindHost({ file, now }: { readonly file: string; readonly now: () => number }): FindHost {
  let known: Promise<ReadonlyMap<string, readonly LookupAddress[]>> | undefined;
  let readAt = 0;
  return async (name) => {
    if (known === undefined || now() - readAt > freshness) {
      readAt = now();
      known = readFile(file, "utf8").then(parseHosts, () => new Map());
    }
    const stated = (await known).get(name);
    if (stated !== undefined) return stated;
    return isLocalhostName(name) ? loopback : [];
  };
}

function parseHosts(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), { address, family }]);
    }
  }
  return hosts;
}
