import { createPrivateKey } from "node:crypto";
import { lazy } from "../../base/lazy.ts";
import type { SamlSigner } from "../../base/saml/index.ts";
import type { Call } from "../../call/index.ts";
import { createCache } from "../../database/index.ts";
import { addSamlKey, type SamlKeyDeps } from "./add-saml-key.ts";
import { listSamlKeys } from "./saml-key.store.ts";
import { samlKeyContext } from "./saml-key.ts";

/** The keys of an instance, ready for use. */
interface SamlKeys {
  /** The key that signs; undefined while the instance has none. */
  readonly signer: (() => SamlSigner) | undefined;
  /** The certificates of all keys (DER in base64): that of the signing key first. */
  readonly certificates: readonly string[];
}

/** Returns the keys of the call's instance, and makes the first one where there is none. */
export type SamlKeyRing = (call: Call) => Promise<SamlKeys & { readonly signer: () => SamlSigner }>;

/** Creates the ring: keys are read on first use, and again after an event of a key. */
export function createSamlKeyRing(deps: SamlKeyDeps): SamlKeyRing {
  const cache = createCache<SamlKeys>(deps.database, {
    load: (instanceId) => loadKeys(deps, instanceId),
    aggregateTypes: ["saml_key"],
    isStaleAfter: (event, _keys, instanceId) => event.instanceId === instanceId,
    lengthOf: "bounded",
  });
  // Strangers read the metadata: however many ask for the first key at once, one is made.
  const making = new Map<string, Promise<unknown>>();
  const makeFirst = (call: Call): Promise<unknown> => {
    const { instanceId } = call;
    const made = making.get(instanceId) ?? addSamlKey(deps, call, "active").finally(() => making.delete(instanceId));
    making.set(instanceId, made);
    return made;
  };
  return async (call) => {
    const cached = await cache.get(call.instanceId);
    if (cached?.signer !== undefined) return { ...cached, signer: cached.signer };
    // Another node may be faster; then that node's key is the one that is read.
    await makeFirst(call);
    const { signer, certificates } = await loadKeys(deps, call.instanceId);
    if (signer === undefined) throw new Error("there is no SAML key, although one was added");
    return { signer, certificates };
  };
}

async function loadKeys({ database, vault }: SamlKeyDeps, instanceId: string): Promise<SamlKeys> {
  const keys = await listSamlKeys(database.read, instanceId);
  const active = keys.find(({ state }) => state === "active");
  const others = keys.filter((key) => key !== active);
  return {
    // Decrypted on first use, so that the metadata is served even while a master key is missing.
    signer:
      active &&
      lazy(() => ({
        key: createPrivateKey(vault.decrypt(active.privateKey, samlKeyContext(instanceId, active.keyId)).reveal()),
        certificate: active.certificate,
        algorithm: "RSA-SHA256",
      })),
    certificates: [...(active === undefined ? [] : [active]), ...others].map(({ certificate }) => certificate),
  };
}
