import { createPrivateKey } from "node:crypto";
import { createBoundedMap } from "../../base/bounded-map.ts";
import type { SamlSigner } from "../../base/saml/index.ts";
import type { Call } from "../../call/index.ts";
import { addSamlKey, type SamlKeyDeps } from "./add-saml-key.ts";
import { listStoredSamlKeys, type StoredSamlKey } from "./saml-key.store.ts";
import { samlKeyContext } from "./saml-key.ts";

/** The keys of an instance, ready for use. */
interface SamlKeys {
  /** The key that signs. Decrypted when it is asked for, so that the metadata is served without the master key. */
  readonly signer: () => SamlSigner;
  /** The certificates of all keys (DER in base64): that of the signing key first. */
  readonly certificates: readonly string[];
}

/** Returns the keys of the call's instance, and makes the first one where there is none. */
export type SamlKeyRing = (call: Call) => Promise<SamlKeys>;

/**
 * Creates the ring. Which keys there are is read each time: from the moment that a key was replaced, no node signs with
 * it, or names its certificate. Only what never changes is kept, the decrypted key of an id.
 */
export function createSamlKeyRing(deps: SamlKeyDeps): SamlKeyRing {
  const signers = createBoundedMap<SamlSigner>({ most: 1_000, mostSize: 1_000, sizeOf: () => 1 });
  const signerOf = (instanceId: string, active: StoredSamlKey): SamlSigner => {
    const context = samlKeyContext(instanceId, active.keyId);
    const known = signers.get(context);
    if (known !== undefined) return known;
    const signer: SamlSigner = {
      key: createPrivateKey(deps.vault.decrypt(active.privateKey, context).reveal()),
      certificate: active.certificate,
      algorithm: "RSA-SHA256",
    };
    signers.put(context, signer);
    return signer;
  };
  const find = async (instanceId: string): Promise<SamlKeys | undefined> => {
    const keys = await listStoredSamlKeys(deps.database.read, instanceId);
    const active = keys.find(({ state }) => state === "active");
    if (active === undefined) return undefined;
    return {
      signer: () => signerOf(instanceId, active),
      certificates: [active, ...keys.filter((key) => key !== active)].map(({ certificate }) => certificate),
    };
  };
  // Strangers read the metadata: however many ask for the first key at once, one is made.
  const making = new Map<string, Promise<unknown>>();
  const makeFirst = (call: Call): Promise<unknown> => {
    const { instanceId } = call;
    const made = making.get(instanceId) ?? addSamlKey(deps, call, "active").finally(() => making.delete(instanceId));
    making.set(instanceId, made);
    return made;
  };
  return async (call) => {
    const found = await find(call.instanceId);
    if (found !== undefined) return found;
    // Another node may be faster; then that node's key is the one that is read.
    await makeFirst(call);
    const first = await find(call.instanceId);
    if (first === undefined) throw new Error("there is no SAML key, although one was added");
    return first;
  };
}
