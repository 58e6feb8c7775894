import { type Clock, type Instant, minutes, seconds } from "../../base/clock.ts";
import { type Outbound, OutboundError } from "../../base/outbound/index.ts";
import { SamlRefused } from "../../base/saml/index.ts";
import { fetchMetadata, readPartner, type SamlConfiguration, type SamlPartner } from "../identity-provider/index.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** Metadata of providers that publish it, each for a limited time, so that they can change keys. */
export interface SamlMetadataCache {
  /**
   * Returns what a provider says of itself now. While its address does not answer, what it said last counts; what is
   * stored counts where it was uploaded, or nothing was fetched yet. `isUrgent` asks again soon, because a key was not
   * found. Throws ProviderRefused.
   */
  get(instanceId: string, configuration: SamlConfiguration, isUrgent?: boolean): Promise<SamlPartner>;
}

interface Entry {
  readonly loading: Promise<SamlPartner>;
  since: Instant;
  /** The last that was fetched, now or before. */
  last: SamlPartner | undefined;
}

const mostDocuments = 1_000;
const lifetime = minutes(15);
const pause = seconds(10);

/** Creates the cache. Requests of one instance never affect another. */
export function createSamlMetadataCache({
  outbound,
  clock,
}: {
  readonly outbound: Outbound;
  readonly clock: Clock;
}): SamlMetadataCache {
  const entries = new Map<string, Entry>();
  const find = (instanceId: string, url: string, longest: number): Entry => {
    const key = `${instanceId}\n${url}`;
    const kept = entries.get(key);
    if (kept !== undefined && clock() < kept.since + longest) return kept;
    if (entries.size >= mostDocuments) entries.delete(entries.keys().next().value ?? "");
    const entry: Entry = { loading: load(outbound, url, clock()), since: clock(), last: kept?.last };
    entries.set(key, entry);
    // Once it failed, it is asked again soon: the entry ages at once, except for the pause.
    entry.loading.catch(() => {
      entry.since += pause - lifetime;
    });
    return entry;
  };
  return {
    get: async (instanceId, { metadataUrl, partner }, isUrgent = false) => {
      if (metadataUrl === "") return usable(partner, partner, clock());
      const entry = find(instanceId, metadataUrl, isUrgent ? pause : lifetime);
      const fetched = await settled(entry);
      const current = usable(fetched ?? entry.last ?? partner, partner, clock());
      if (fetched !== undefined) entry.last = fetched;
      return current;
    },
  };
}

/** Returns metadata that still counts, and is of the entity that was configured: links belong to that one. */
function usable(current: SamlPartner, configured: SamlPartner, now: Instant): SamlPartner {
  const { validUntil, entityId } = current;
  const isOver = validUntil !== null && validUntil <= now;
  if (isOver || entityId !== configured.entityId) throw new ProviderRefused("discovery_invalid");
  return current;
}

async function settled({ loading }: Entry): Promise<SamlPartner | undefined> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof OutboundError || error instanceof SamlRefused) return undefined;
    throw error;
  }
}

async function load(outbound: Outbound, url: string, now: Instant): Promise<SamlPartner> {
  const partner = await readPartner(await fetchMetadata(outbound, url), now);
  // A provider that is reached by TLS must not have browsers sent elsewhere without it.
  const isSafe = url.startsWith("http:") || partner.singleSignOn.every(({ location }) => location.startsWith("https:"));
  if (!isSafe) throw new SamlRefused("metadata");
  return partner;
}
