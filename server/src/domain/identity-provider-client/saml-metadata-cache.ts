import { type Clock, type Instant, minutes, seconds } from "../../base/clock.ts";
import { type Outbound, OutboundError } from "../../base/outbound/index.ts";
import { SamlRefused } from "../../base/saml/index.ts";
import { fetchMetadata, readPartner, type SamlConfiguration, type SamlPartner } from "../identity-provider/index.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** Metadata of providers that publish it, each for a limited time, so that they can change keys. */
export interface SamlMetadataCache {
  /**
   * Returns what a provider says of itself now; what is stored when it was uploaded, or when its address does not
   * answer. `isUrgent` asks again soon, because a key was not found. Throws ProviderRefused.
   */
  get(instanceId: string, configuration: SamlConfiguration, isUrgent?: boolean): Promise<SamlPartner>;
}

interface Entry {
  readonly loading: Promise<SamlPartner>;
  readonly since: Instant;
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
    const entry: Entry = { loading: load(outbound, url, clock()), since: clock() };
    entries.set(key, entry);
    // Once it failed, it is asked again soon: the entry ages at once, except for the pause.
    entry.loading.catch(() => entries.set(key, { ...entry, since: entry.since - lifetime + pause }));
    return entry;
  };
  return {
    get: async (instanceId, { metadataUrl, partner }, isUrgent = false) => {
      const current =
        metadataUrl === ""
          ? partner
          : await fetched(find(instanceId, metadataUrl, isUrgent ? pause : lifetime), partner);
      const { validUntil, entityId } = current;
      const isOver = validUntil !== null && validUntil <= clock();
      // Whose links these are is decided by the entity id.
      if (isOver || entityId !== partner.entityId) throw new ProviderRefused("discovery_invalid");
      return current;
    },
  };
}

async function fetched({ loading }: Entry, stored: SamlPartner): Promise<SamlPartner> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof OutboundError || error instanceof SamlRefused) return stored;
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
