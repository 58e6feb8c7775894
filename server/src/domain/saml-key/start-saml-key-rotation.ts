import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { addMadeKey, makePaidSamlKey, type PaidSamlKeyDeps } from "./add-saml-key.ts";
import { type PlannedSamlKey, planKeys } from "./list-saml-keys.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { listSamlKeyRecords, lockSamlKeys, updateSwitch } from "./saml-key.store.ts";
import { type SamlKeyRecord, samlKeyAggregate, samlMetadataLifetime, switchesAt, usualSwitch } from "./saml-key.ts";

interface RotationStart {
  /** When the next key begins to sign; undefined for 60 days after it was published. */
  readonly switchesAt: Instant | undefined;
}

/**
 * Publishes the next key of the instance, unless there is one, and sets when it begins to sign. Throws the Faults
 * `saml_key.none` before the first use of SAML, and `saml_key.switch_date`.
 */
export const startSamlKeyRotation = (
  deps: PaidSamlKeyDeps,
  call: Call,
  input: RotationStart,
): Promise<PlannedSamlKey> => oneAtATime(call, () => start(deps, call, input));

async function start(deps: PaidSamlKeyDeps, call: Call, input: RotationStart): Promise<PlannedSamlKey> {
  const keys = await listSamlKeyRecords(deps.database.read, call.instanceId);
  const { next } = decide(keys, call.now, input);
  const made = next === undefined ? await makePaidSamlKey(deps, call) : undefined;
  const started = await deps.database.change(call, async (tx) => {
    const locked = await lockSamlKeys(tx);
    // Replaced in the meantime: the key that signs now is not among them.
    if (!locked.some(({ state }) => state === "active")) return undefined;
    const held = decide(locked, call.now, input);
    const { active, signsAt } = held;
    if (held.next === undefined) {
      const added = made && (await addMadeKey(tx, made, { state: "next", signsAt }));
      return added && { active, next: added };
    }
    // Nothing to change, nothing to record.
    if (switchesAt(active, held.next) === signsAt) return { active, next: held.next };
    const planned = await updateSwitch(tx, held.next.keyId, signsAt);
    if (planned === undefined) return undefined;
    const { keyId, sequence } = planned;
    tx.record({
      type: "saml_key.planned",
      ...samlKeyAggregate(tx.instanceId, keyId),
      sequence,
      payload: { signsAt },
    });
    return { active, next: planned };
  });
  // Another caller added, removed or replaced a key in the meantime.
  if (started === undefined) return start(deps, call, input);
  const [, planned] = planKeys([started.active, started.next]);
  return planned ?? started.next;
}

function decide(keys: readonly SamlKeyRecord[], now: Instant, input: RotationStart) {
  const active = keys.find(({ state }) => state === "active");
  if (active === undefined) throw new Fault("failed_precondition", "saml_key.none");
  const next = keys.find(({ state }) => state === "next");
  const publishedAt = next?.createdAt ?? now;
  const signsAt = input.switchesAt ?? usualSwitch(active, publishedAt);
  const isKnown = signsAt >= publishedAt + samlMetadataLifetime;
  if (input.switchesAt !== undefined && !(isKnown && signsAt <= active.expiresAt)) {
    throw new Fault("invalid_argument", "saml_key.switch_date", { field: "switchDate" });
  }
  return { active, next, signsAt };
}
