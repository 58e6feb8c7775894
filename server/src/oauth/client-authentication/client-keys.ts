import { type Clock, hours, type Instant, minutes, seconds } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { importPublicKey, type PublicKey } from "../../base/jose/index.ts";
import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import { type Outbound, OutboundError } from "../../base/outbound/index.ts";
import { type Client, listVerificationKeys } from "../../domain/application/index.ts";

/** The keys with which a client signs, also those that it publishes at an address of its own. */
export interface ClientKeys {
  /**
   * Keys that may verify what the client signed at this moment. `keyId` is the one that the signature names: when it is not among the keys we
   * know, the published set is asked again, because the client may have rotated.
   */
  find(client: Client, wanted: { readonly now: Instant; readonly keyId: string | undefined }): Promise<PublicKey[]>;
}

interface KeySet {
  readonly keys: readonly PublicKey[];
  readonly fetchedAt: Instant;
  readonly isFailure: boolean;
}

const mostSets = 1_000;
const mostKeys = 50;
const lifetime = minutes(5);
// Nobody makes us ask more often than this, whatever key ids they invent.
const pause = seconds(30);
// A server that is down for a while takes no client away; keys that nobody confirmed for longer are not believed.
const longestUnconfirmed = hours(1);

/** Makes the reader of client keys. What it fetched it keeps for a few minutes, for each instance apart. */
export function createClientKeys(deps: { readonly outbound: Outbound; readonly clock: Clock }): ClientKeys {
  const sets = new Map<string, Promise<KeySet>>();

  const load = async (url: string, former: KeySet | undefined): Promise<KeySet> => {
    const now = deps.clock();
    const keys = await fetchKeys(deps.outbound, url);
    if (keys !== undefined) return { keys, fetchedAt: now, isFailure: false };
    const isStillGood = former !== undefined && now - former.fetchedAt < longestUnconfirmed;
    return isStillGood ? { ...former, isFailure: true } : { keys: [], fetchedAt: now, isFailure: true };
  };
  const ask = (key: string, url: string, former: KeySet | undefined): Promise<KeySet> => {
    if (sets.size >= mostSets) sets.delete(sets.keys().next().value ?? "");
    const loading = load(url, former);
    sets.set(key, loading);
    return loading;
  };
  const askedAt = new Map<string, Instant>();
  const published = async (client: Client, now: Instant, keyId: string | undefined): Promise<readonly PublicKey[]> => {
    const key = `${client.instanceId}\n${client.jwksUri}`;
    const known = await sets.get(key);
    const isKnown = keyId === undefined || known?.keys.some((one) => one.keyId === keyId) === true;
    const last = askedAt.get(key) ?? Number.NEGATIVE_INFINITY;
    const isFresh = known !== undefined && now < last + (known.isFailure || !isKnown ? pause : lifetime);
    if (isFresh) return known.keys;
    if (askedAt.size >= mostSets) askedAt.delete(askedAt.keys().next().value ?? "");
    askedAt.set(key, now);
    return (await ask(key, client.jwksUri, known)).keys;
  };
  return {
    find: async (client, { now, keyId }) => {
      const own = listVerificationKeys(client, now);
      if (client.jwksUri === "") return own;
      return [...own, ...(await published(client, now, keyId))];
    },
  };
}

/** The usable keys of a published set; undefined when it cannot be had. */
async function fetchKeys(outbound: Outbound, url: string): Promise<PublicKey[] | undefined> {
  try {
    const { status, body } = await outbound({
      url,
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

// A set may have keys for other uses and of kinds that we do not know (RFC 7517 §5); only these are left out.
function toKey(jwk: Readonly<Record<string, unknown>>): PublicKey[] {
  try {
    return [importPublicKey(jwk, "jwks_uri")];
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}
