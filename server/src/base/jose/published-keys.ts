import { type Clock, hours, type Instant, minutes, seconds } from "../clock.ts";
import { Fault } from "../fault.ts";
import { isRecord, JsonError, parseJson } from "../json.ts";
import { type Outbound, OutboundError } from "../outbound/index.ts";
import { importPublicKey, type PublicKey } from "./public-key.ts";

/** Key sets published at an address (RFC 7517 §5). */
export interface PublishedKeys {
  /**
   * Returns the keys at an address, at most a few minutes old. `keyId` is the id that a signature names. When it is
   * unknown, the set is fetched again, because its owner may have rotated. `isForStranger`: a stranger chose the
   * address. Each instance has its own cache.
   */
  find(
    instanceId: string,
    url: string,
    wanted: { readonly now: Instant; readonly keyId: string | undefined; readonly isForStranger?: boolean },
  ): Promise<readonly PublicKey[]>;
}

interface Asked {
  readonly url: string;
  readonly isForStranger: boolean;
}

interface KeySet {
  readonly keys: readonly PublicKey[];
  readonly fetchedAt: Instant;
  readonly isFailure: boolean;
}

const mostSets = 1_000;
const mostKeys = 50;
const lifetime = minutes(5);
// The shortest interval between fetches, so that signatures with invented key ids cannot cause more of them.
const pause = seconds(30);
// Keys survive a short outage of their server; keys that were not confirmed for longer are no longer trusted.
const longestUnconfirmed = hours(1);

/** Creates the reader of published key sets, which caches them for a few minutes. */
export function createPublishedKeys(deps: { readonly outbound: Outbound; readonly clock: Clock }): PublishedKeys {
  const sets = new Map<string, Promise<KeySet>>();
  const askedAt = new Map<string, Instant>();

  const load = async (asked: Asked, former: KeySet | undefined): Promise<KeySet> => {
    const now = deps.clock();
    const keys = await fetchKeys(deps.outbound, asked);
    if (keys !== undefined) return { keys, fetchedAt: now, isFailure: false };
    const isStillGood = former !== undefined && now - former.fetchedAt < longestUnconfirmed;
    return isStillGood ? { ...former, isFailure: true } : { keys: [], fetchedAt: now, isFailure: true };
  };
  const ask = (key: string, asked: Asked, former: KeySet | undefined): Promise<KeySet> => {
    if (sets.size >= mostSets) sets.delete(sets.keys().next().value ?? "");
    const loading = load(asked, former);
    sets.set(key, loading);
    return loading;
  };
  return {
    find: async (instanceId, url, { now, keyId, isForStranger = false }) => {
      const key = `${instanceId}\n${isForStranger}\n${url}`;
      const known = await sets.get(key);
      const isKnown = keyId === undefined || known?.keys.some((one) => one.keyId === keyId) === true;
      const last = askedAt.get(key) ?? Number.NEGATIVE_INFINITY;
      const isFresh = known !== undefined && now < last + (known.isFailure || !isKnown ? pause : lifetime);
      if (isFresh) return known.keys;
      if (askedAt.size >= mostSets) askedAt.delete(askedAt.keys().next().value ?? "");
      askedAt.set(key, now);
      return (await ask(key, { url, isForStranger }, known)).keys;
    },
  };
}

/** Returns the usable keys of a published set, or undefined when it cannot be fetched. */
async function fetchKeys(outbound: Outbound, asked: Asked): Promise<PublicKey[] | undefined> {
  try {
    const { status, body } = await outbound({
      ...asked,
      headers: { accept: "application/jwk-set+json, application/json" },
      maximumBytes: 102_400,
    });
    const document = status === 200 ? parseJson(body) : undefined;
    const keys = isRecord(document) ? document["keys"] : undefined;
    if (!Array.isArray(keys)) return undefined;
    return keys.filter(isRecord).slice(0, mostKeys).flatMap(toKey);
  } catch (error) {
    if (error instanceof OutboundError || error instanceof JsonError) return undefined;
    throw error;
  }
}

// A set may contain keys for other uses and of unknown types (RFC 7517 §5); only these are left out.
function toKey(jwk: Readonly<Record<string, unknown>>): PublicKey[] {
  try {
    return [importPublicKey(jwk, "jwks_uri")];
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}
