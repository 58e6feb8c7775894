import { addressKey } from "./address-key.ts";

/**
 * Returns the mailbox of an address, for counting and refusing: what stands after "+" (a sub-address, RFC 5233) leads
 * to the same reader. Never for identity: two sub-addresses are two names.
 */
export function mailboxOf(address: string): string {
  const key = addressKey(address);
  const at = key.lastIndexOf("@");
  const plus = key.indexOf("+");
  return plus > 0 && plus < at ? key.slice(0, plus) + key.slice(at) : key;
}
