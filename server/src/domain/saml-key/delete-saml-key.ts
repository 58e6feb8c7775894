import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { removeSamlKey } from "./remove-saml-key.ts";
import { lockSamlKeys } from "./saml-key.store.ts";

/**
 * Removes a next or former key, with its certificate in the metadata. The active key is refused (Fault
 * `saml_key.active`). For a key that does not exist, undefined is returned instead of the time.
 */
export async function deleteSamlKey(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly keyId: string },
): Promise<Instant | undefined> {
  return deps.database.change(call, async (tx) => {
    const key = (await lockSamlKeys(tx)).find(({ keyId }) => keyId === input.keyId);
    if (key === undefined) return undefined;
    if (key.state === "active") throw new Fault("failed_precondition", "saml_key.active", { field: "id" });
    return (await removeSamlKey(tx, key)) ? tx.now : undefined;
  });
}
