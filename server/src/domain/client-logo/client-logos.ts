import { createBoundedMap } from "../../base/bounded-map.ts";
import { createRateLimiter } from "../../base/budget/rate-limiter.ts";
import { createSourceLimiter } from "../../base/budget/source-limiter.ts";
import { type Clock, hours, type Instant, minutes } from "../../base/clock.ts";
import type { Outbound } from "../../base/outbound/index.ts";
import { fetchLogo, type Logo } from "./fetch-logo.ts";
import type { LogoAddress } from "./logo-address.ts";

/** The logos of clients, as far as they are known. */
export interface ClientLogos {
  /**
   * Whether there is a picture at the address. Never waits: an unknown one is fetched meanwhile, and later pages show
   * it. So no page waits for a stranger's server, or shows the place of a picture that does not come.
   */
  isKnown(logo: LogoAddress, source: string): boolean;
  /**
   * Returns the picture at the address, fetching it first when it is unknown: another process may have shown the page.
   */
  find(logo: LogoAddress, source: string): Promise<Logo | undefined>;
}

interface Entry {
  readonly logo: Logo | undefined;
  readonly until: Instant;
}

const mostEntries = 1_000;
const mostBytes = 16 * 1024 * 1024;
const lifetime = { picture: hours(24), none: minutes(10) } as const;
/** Fetches for one instance; those of strangers' clients are counted apart, so that they use up no others. */
const fetches = { perMinute: 60 } as const;
/** Those of strangers' clients that one source causes. */
const fetchesOfSource = { perMinute: 10 } as const;

/**
 * Creates the memory of logos. Instances share no entry, so none learns what another fetched. A picture that is due for
 * another fetch is shown until that has ended.
 */
export function createClientLogos({
  outbound,
  clock,
}: {
  readonly outbound: Outbound;
  readonly clock: Clock;
}): ClientLogos {
  const kept = createBoundedMap<Entry>({
    most: mostEntries,
    mostSize: mostBytes,
    sizeOf: ({ logo }) => logo?.bytes.length ?? 0,
  });
  const loading = new Map<string, Promise<Logo | undefined>>();
  const limiter = createRateLimiter(fetches);
  const sources = createSourceLimiter(fetchesOfSource);
  const mayFetch = ({ instanceId, isApproved }: LogoAddress, source: string, now: Instant): boolean =>
    (isApproved || sources.take(instanceId, source, now) === 0) &&
    limiter.take(`${instanceId}\n${isApproved}`, now) === 0;
  const load = async (key: string, address: LogoAddress): Promise<Logo | undefined> => {
    const logo = await fetchLogo(outbound, address);
    kept.put(key, { logo, until: clock() + (logo === undefined ? lifetime.none : lifetime.picture) });
    return logo;
  };
  const look = (address: LogoAddress, source: string) => {
    const { instanceId, url, isApproved } = address;
    const key = `${instanceId}\n${isApproved}\n${url}`;
    const entry = kept.get(key);
    const now = clock();
    if (entry !== undefined && now < entry.until) return { entry };
    let promise = loading.get(key);
    if (promise === undefined && mayFetch(address, source, now)) {
      promise = load(key, address).finally(() => loading.delete(key));
      loading.set(key, promise);
      // What fails unexpectedly is thrown to a request that waits for the picture; often there is none.
      promise.catch(() => undefined);
    }
    return { entry, promise };
  };
  return {
    isKnown: (logo, source) => look(logo, source).entry?.logo !== undefined,
    find: async (logo, source) => {
      const { entry, promise } = look(logo, source);
      return entry?.logo ?? (await promise);
    },
  };
}
