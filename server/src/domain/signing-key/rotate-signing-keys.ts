import { days, type Instant, seconds } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import { replaceActiveKey } from "./activate-signing-key.ts";
import { addSuccessor } from "./add-signing-key.ts";
import type { CreateSigningKeyDeps } from "./create-signing-key.ts";
import { removeInactiveKey } from "./delete-signing-key.ts";
import { generateKeyPair } from "./generate-key-pair.ts";
import { keySetMaxAgeSeconds } from "./key-ring.ts";
import { listRotatingKeys, lockKeysOfAlgorithm, type RotatingKey, raiseTokenLifetime } from "./signing-key.store.ts";
import { parametersOf } from "./signing-key.ts";

export interface RotationPolicy {
  /** How long a key signs, in milliseconds. */
  readonly signingPeriod: number;
  /** Longest lifetime of the tokens that are signed now (access, id and logout tokens), in milliseconds. */
  readonly tokenLifetime: number;
}

export const defaultSigningPeriod = days(90);

export interface Rotation {
  readonly published: readonly string[];
  readonly activated: readonly string[];
  readonly removed: readonly string[];
}

// How long a key is published before it signs, and after its last token has expired. Relying parties cache the key set
// for this long.
const publishedAhead = seconds(keySetMaxAgeSeconds);

/**
 * Performs one tick of automatic rotation, at `call.now`, for the instance of the call. Publishes a successor ahead of
 * time, activates it when it is due and every cached key set has expired, and removes keys whose last token has
 * expired. Safe to run at any time on any number of nodes: each part happens only if it still has to, and only once.
 * Never touches keys that an operator created and did not activate.
 */
export async function rotateSigningKeys(
  deps: CreateSigningKeyDeps,
  call: Call,
  policy: RotationPolicy,
): Promise<Rotation> {
  const keys = await listRotatingKeys(deps.database.read, call.instanceId);
  if (keys.some(({ state, tokenLifetime }) => state === "active" && tokenLifetime < policy.tokenLifetime)) {
    await deps.database.touch(call, (tx) => raiseTokenLifetime(tx, policy.tokenLifetime));
  }
  return {
    published: await publishSuccessors(deps, call, keys, policy),
    activated: await activateSuccessors(deps, call, keys, policy),
    removed: await removeDeadKeys(deps, call, keys, policy),
  };
}

async function publishSuccessors(
  deps: CreateSigningKeyDeps,
  call: Call,
  keys: readonly RotatingKey[],
  { signingPeriod }: RotationPolicy,
): Promise<string[]> {
  const due = keys.filter(
    (key) => isDue(key, signingPeriod - publishedAhead, call.now) && findSuccessor(keys, key) === undefined,
  );
  const published: string[] = [];
  for (const { algorithm, rsaBits } of due) {
    const pair = await generateKeyPair(parametersOf(algorithm, rsaBits));
    const added = await deps.database.change(call, (tx) => addSuccessor(tx, deps, pair));
    if (added !== undefined) published.push(added.keyId);
  }
  return published;
}

async function activateSuccessors(
  { database }: CreateSigningKeyDeps,
  call: Call,
  keys: readonly RotatingKey[],
  { signingPeriod }: RotationPolicy,
): Promise<string[]> {
  const listReady = (among: readonly RotatingKey[]): RotatingKey[] =>
    among
      .filter((key) => isDue(key, signingPeriod, call.now))
      .flatMap((key) => findSuccessor(among, key) ?? [])
      .filter((key) => key.createdAt + publishedAhead <= call.now);
  const activated: string[] = [];
  for (const { algorithm } of listReady(keys)) {
    const keyId = await database.change(call, async (tx) => {
      // Decided again with the keys locked: another node or an operator may have been faster.
      const [ready] = listReady(await lockKeysOfAlgorithm(tx, algorithm));
      return ready && (await replaceActiveKey(tx, ready)) && ready.keyId;
    });
    if (keyId !== undefined) activated.push(keyId);
  }
  return activated;
}

async function removeDeadKeys(
  { database }: CreateSigningKeyDeps,
  call: Call,
  keys: readonly RotatingKey[],
  { tokenLifetime }: RotationPolicy,
): Promise<string[]> {
  const isDead = (key: RotatingKey): boolean =>
    key.state === "inactive" &&
    key.deactivatedAt !== null &&
    key.deactivatedAt + Math.max(key.tokenLifetime, tokenLifetime) + publishedAhead <= call.now;
  const removed: string[] = [];
  for (const { keyId, algorithm } of keys.filter(isDead)) {
    const isRemoved = await database.change(call, async (tx) => {
      const held = await lockKeysOfAlgorithm(tx, algorithm);
      return held.some((key) => key.keyId === keyId && isDead(key)) && removeInactiveKey(tx, keyId);
    });
    if (isRemoved) removed.push(keyId);
  }
  return removed;
}

const isDue = (key: RotatingKey, period: number, now: Instant): boolean =>
  key.state === "active" && key.activatedAt !== null && key.activatedAt + period <= now;

const findSuccessor = (keys: readonly RotatingKey[], { algorithm }: RotatingKey): RotatingKey | undefined =>
  keys.find((key) => key.state === "initial" && key.isSuccessor === 1 && key.algorithm === algorithm);
