import { Fault } from "../../base/fault.ts";
import type { UserAgent } from "./session.ts";

/** Free data of the session's creator. An empty value removes the key. */
export type MetadataChange = Readonly<Record<string, Uint8Array>>;

const longestLifetimeSeconds = 100 * 365 * 86_400;
const longestKey = 200;
const largestMetadata = 500_000;
const largestUserAgent = 20_000;

/** Returns the metadata of a session with a change applied, as it is stored: base64 by key. */
export function mergeMetadata(
  existing: Readonly<Record<string, string>>,
  change: MetadataChange,
): Readonly<Record<string, string>> {
  const merged = new Map(Object.entries(existing));
  for (const [key, value] of Object.entries(change)) {
    if (key.length < 1 || key.length > longestKey) {
      throw new Fault("invalid_argument", "metadata.key_invalid", { field: "metadata" });
    }
    if (value.length === 0) merged.delete(key);
    else merged.set(key, Buffer.from(value).toString("base64"));
  }
  const metadata = Object.fromEntries(merged);
  if (JSON.stringify(metadata).length > largestMetadata) {
    const values = { maximum: largestMetadata };
    throw new Fault("invalid_argument", "session.metadata_too_large", { field: "metadata", values });
  }
  return metadata;
}

/** Returns the user agent. Refuses one that is larger than any browser's description of itself. */
export function checkUserAgent(userAgent: UserAgent): UserAgent {
  if (JSON.stringify(userAgent).length > largestUserAgent) {
    const values = { maximum: largestUserAgent };
    throw new Fault("invalid_argument", "session.user_agent_too_large", { field: "userAgent", values });
  }
  return userAgent;
}

/**
 * Returns when a session of this lifetime expires. Refuses a lifetime beyond a century, because its end could not be
 * written as a date.
 */
export function toExpiry(lifetimeSeconds: number | undefined, now: number): number | undefined {
  if (lifetimeSeconds === undefined) return undefined;
  if (lifetimeSeconds > longestLifetimeSeconds) {
    const values = { maximum: longestLifetimeSeconds };
    throw new Fault("invalid_argument", "session.lifetime_too_long", { field: "lifetime", values });
  }
  return now + Math.round(lifetimeSeconds * 1000);
}
