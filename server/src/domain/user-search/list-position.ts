import { Fault } from "../../base/fault.ts";
import { type Vault, VaultError } from "../../base/vault.ts";

// A position may be the id of a user whom the caller may not read.
const contextOf = (instanceId: string): string => `positions-in-users/${instanceId}`;

/** Seals the position in a list of users at which its next part begins. */
export const sealPosition = (vault: Pick<Vault, "encrypt">, instanceId: string, userId: string): string =>
  vault.encrypt(userId, contextOf(instanceId));

/** Opens it. The empty text is the beginning; what was not sealed for this instance is refused. */
export function openPosition(vault: Pick<Vault, "decrypt">, instanceId: string, sealed: string): string {
  if (sealed === "") return "";
  try {
    return vault.decrypt(sealed, contextOf(instanceId)).reveal();
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const field = "pageToken";
    throw new Fault("invalid_argument", "field.unknown_value", { field, values: { field } });
  }
}
