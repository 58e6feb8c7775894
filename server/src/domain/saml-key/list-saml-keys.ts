import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { listSamlKeyRecords } from "./saml-key.store.ts";
import { leavesAt, publishesAt, type SamlKeyRecord, switchesAt } from "./saml-key.ts";

/** A key, and what the rotation does with it next. */
export interface PlannedSamlKey extends SamlKeyRecord {
  /** When a next key begins to sign. */
  readonly switchesAt?: Instant;
  /** When a former key leaves the metadata. */
  readonly leavesAt?: Instant;
  /** When the successor of an active key is published by itself; absent when it has one. */
  readonly publishesAt?: Instant;
}

/** Lists the keys of the instance with their plans, oldest first. */
export async function listSamlKeys(
  deps: { readonly database: Database },
  call: Call,
): Promise<readonly PlannedSamlKey[]> {
  return planKeys(await listSamlKeyRecords(deps.database.read, call.instanceId));
}

/** Returns all keys of an instance with their plans. */
export function planKeys(keys: readonly SamlKeyRecord[]): readonly PlannedSamlKey[] {
  const active = keys.find(({ state }) => state === "active");
  const next = keys.find(({ state }) => state === "next");
  return keys.map((key) => {
    if (key.state === "former") return { ...key, leavesAt: leavesAt(key) };
    if (active === undefined) return key;
    if (key.state === "next") return { ...key, switchesAt: switchesAt(active, key) };
    return next === undefined ? { ...key, publishesAt: publishesAt(key) } : key;
  });
}
