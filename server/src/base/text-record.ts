import { Resolver } from "node:dns/promises";

/** Whether a TXT record of the name has the value. */
export type HasTextRecord = (name: string, value: string) => Promise<boolean>;

/** Queries the system's DNS servers, or the given ones (`127.0.0.1:5353`). A failed lookup counts as no record. */
export function createHasTextRecord(options: { readonly servers?: readonly string[] } = {}): HasTextRecord {
  return async (name, value) => {
    const resolver = new Resolver({ timeout: 3000, tries: 2 });
    if (options.servers !== undefined) resolver.setServers(options.servers);
    try {
      const records = await resolver.resolveTxt(name);
      // RFC 7208 §3.3: the strings of one record are concatenated.
      return records.some((strings) => strings.join("").trim() === value);
    } catch {
      return false;
    }
  };
}
