import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { activateNextKey } from "./activate-next-key.ts";
import { addMadeKey, makePaidSamlKey, type PaidSamlKeyDeps } from "./add-saml-key.ts";
import { type PlannedSamlKey, planKeys } from "./list-saml-keys.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { removeSamlKey } from "./remove-saml-key.ts";
import { listSamlKeyRecords, lockSamlKeys, type NewSamlKey } from "./saml-key.store.ts";
import type { SamlKeyRecord } from "./saml-key.ts";

interface KeyReplacement {
  /** The active key. A call that is repeated names a key that no longer signs, and replaces nothing. */
  readonly keyId: string;
  /** Sign with the next key in place of a new one. */
  readonly useNext: boolean;
}

/**
 * Replaces the active key immediately, for when others may know it: another key signs, and all other certificates leave
 * the metadata, also those of former keys. Throws the Faults `saml_key.not_found`, `saml_key.not_active` and
 * `saml_key.no_next`.
 */
export const replaceSamlKey = (deps: PaidSamlKeyDeps, call: Call, input: KeyReplacement): Promise<PlannedSamlKey> =>
  oneAtATime(call, () => replace(deps, call, input));

async function replace(deps: PaidSamlKeyDeps, call: Call, input: KeyReplacement): Promise<PlannedSamlKey> {
  // Refused before a key is made, and decided again with the keys locked.
  findSuccessor(await listSamlKeyRecords(deps.database.read, call.instanceId), input);
  const made = input.useNext ? undefined : await makePaidSamlKey(deps, call);
  const successor = await deps.database.change(call, async (tx) => {
    const keys = await lockSamlKeys(tx);
    const next = findSuccessor(keys, input);
    for (const key of keys.filter((each) => each !== next)) await removeSamlKey(tx, key);
    return next === undefined ? add(tx, made) : activateNextKey(tx, next);
  });
  const [planned] = planKeys([successor]);
  return planned ?? successor;
}

function findSuccessor(keys: readonly SamlKeyRecord[], { keyId, useNext }: KeyReplacement): SamlKeyRecord | undefined {
  const key = keys.find((each) => each.keyId === keyId);
  if (key === undefined) throw new Fault("not_found", "saml_key.not_found", { field: "id" });
  if (key.state !== "active") throw new Fault("failed_precondition", "saml_key.not_active", { field: "id" });
  if (!useNext) return undefined;
  const next = keys.find(({ state }) => state === "next");
  if (next === undefined) throw new Fault("failed_precondition", "saml_key.no_next", { field: "useNext" });
  return next;
}

async function add(tx: Tx, made: NewSamlKey | undefined): Promise<SamlKeyRecord> {
  const added = made && (await addMadeKey(tx, made, { state: "active", signsAt: null }));
  // The change is given up by the error, so that the instance is never without a key.
  if (added === undefined) throw new Error("another key became active while the keys were locked");
  return added;
}
