import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import { activateNextKey } from "./activate-next-key.ts";
import { addSamlKey, type SamlKeyDeps } from "./add-saml-key.ts";
import { removeSamlKey } from "./remove-saml-key.ts";
import { listSamlKeyRecords, lockSamlKeys, moveSamlKey } from "./saml-key.store.ts";
import { leavesAt, publishesAt, type SamlKeyRecord, samlKeyAggregate, switchesAt } from "./saml-key.ts";

/** Ids of the keys that a run published, activated and removed. */
export interface SamlRotation {
  readonly published: readonly string[];
  readonly activated: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Performs one tick of the rotation of an instance's keys: publishes a successor three months before the end of the
 * certificate, lets it sign one month before, or when an administrator decided, and removes keys a month after they
 * last signed. Safe at any time, on any number of nodes.
 */
export async function rotateSamlKeys(deps: SamlKeyDeps, call: Call): Promise<SamlRotation> {
  const keys = await listSamlKeyRecords(deps.database.read, call.instanceId);
  return {
    published: await publishSuccessor(deps, call, keys),
    activated: await activateSuccessor(deps, call, keys),
    removed: await removeFormer(deps, call, keys),
  };
}

async function publishSuccessor(deps: SamlKeyDeps, call: Call, keys: readonly SamlKeyRecord[]): Promise<string[]> {
  const active = keys.find(({ state }) => state === "active");
  const hasNext = keys.some(({ state }) => state === "next");
  if (active === undefined || hasNext || publishesAt(active) > call.now) return [];
  const added = await addSamlKey(deps, call, "next");
  return added === undefined ? [] : [added.keyId];
}

async function activateSuccessor(
  { database }: SamlKeyDeps,
  call: Call,
  keys: readonly SamlKeyRecord[],
): Promise<string[]> {
  if (findDue(keys, call.now) === undefined) return [];
  return database.change(call, async (tx) => {
    // Decided again with the keys locked: another node or an administrator may have been faster.
    const due = findDue(await lockSamlKeys(tx), call.now);
    const former = due && (await moveSamlKey(tx, due.active.keyId, { from: "active", to: "former" }));
    if (due === undefined || former === undefined) return [];
    const { keyId, sequence } = former;
    tx.record({ type: "saml_key.deactivated", ...samlKeyAggregate(tx.instanceId, keyId), sequence });
    return [(await activateNextKey(tx, due.next)).keyId];
  });
}

function findDue(keys: readonly SamlKeyRecord[], now: Instant) {
  const active = keys.find(({ state }) => state === "active");
  const next = keys.find(({ state }) => state === "next");
  return active !== undefined && next !== undefined && switchesAt(active, next) <= now ? { active, next } : undefined;
}

async function removeFormer({ database }: SamlKeyDeps, call: Call, keys: readonly SamlKeyRecord[]): Promise<string[]> {
  const removed: string[] = [];
  for (const key of keys.filter((each) => each.state === "former" && leavesAt(each) <= call.now)) {
    if (await database.change(call, (tx) => removeSamlKey(tx, key))) removed.push(key.keyId);
  }
  return removed;
}
