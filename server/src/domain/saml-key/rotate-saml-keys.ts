import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { addSamlKey, type SamlKeyDeps } from "./add-saml-key.ts";
import { deleteFormerSamlKey, listSamlKeys, moveSamlKey } from "./saml-key.store.ts";
import { keptAfter, publishedBefore, type SamlKeyRecord, samlKeyAggregate, signsBefore } from "./saml-key.ts";

/** Ids of the keys that a run published, activated and removed. */
export interface SamlRotation {
  readonly published: readonly string[];
  readonly activated: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Performs one tick of the rotation of an instance's keys: publishes a successor three months before the end of the
 * certificate, lets it sign one month before, and removes keys a month after they last signed. Safe at any time, on
 * any number of nodes.
 */
export async function rotateSamlKeys(deps: SamlKeyDeps, call: Call): Promise<SamlRotation> {
  const { database } = deps;
  const { now } = call;
  const keys = await listSamlKeys(database.read, call.instanceId);
  const active = keys.find(({ state }) => state === "active");
  const next = keys.find(({ state }) => state === "next");
  const published: string[] = [];
  const activated: string[] = [];
  const removed: string[] = [];
  if (active !== undefined && next === undefined && active.expiresAt - publishedBefore <= now) {
    const added = await addSamlKey(deps, call, "next");
    if (added !== undefined) published.push(added.keyId);
  }
  const isDue = active !== undefined && active.expiresAt - signsBefore <= now;
  // A successor that was published late waits as well, unless the certificate ends before.
  const isKnown =
    next !== undefined && (next.changedAt + (publishedBefore - signsBefore) <= now || isOver(active, now));
  if (active !== undefined && next !== undefined && isDue && isKnown) {
    const isMoved = await database.change(call, async (tx) => {
      const former = await moveSamlKey(tx, active.keyId, { from: "active", to: "former" });
      const successor = former && (await moveSamlKey(tx, next.keyId, { from: "next", to: "active" }));
      // Another node was faster. Without a successor the change is given up by the error.
      if (former === undefined) return false;
      if (successor === undefined) throw new Error("the successor of a SAML key went away");
      record(tx, "saml_key.deactivated", former);
      record(tx, "saml_key.activated", successor);
      return true;
    });
    if (isMoved) activated.push(next.keyId);
  }
  for (const { keyId } of keys.filter(({ state, changedAt }) => state === "former" && changedAt + keptAfter <= now)) {
    const isRemoved = await database.change(call, async (tx) => {
      const key = await deleteFormerSamlKey(tx, keyId);
      if (key !== undefined) record(tx, "saml_key.deleted", { ...key, sequence: key.sequence + 1 });
      return key !== undefined;
    });
    if (isRemoved) removed.push(keyId);
  }
  return { published, activated, removed };
}

const isOver = (key: SamlKeyRecord | undefined, now: number): boolean => key !== undefined && key.expiresAt <= now;

function record(
  tx: Tx,
  type: "saml_key.activated" | "saml_key.deactivated" | "saml_key.deleted",
  { keyId, sequence }: SamlKeyRecord,
): void {
  tx.record({ type, ...samlKeyAggregate(tx.instanceId, keyId), sequence });
}
