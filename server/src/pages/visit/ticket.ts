import { minutes } from "../../base/clock.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { type Vault, VaultError } from "../../base/vault.ts";
import type { Visit } from "./visit.ts";

const lifetime = minutes(10);

/**
 * Seals data that a page needs again with its form and that is not stored: only this browser can return it, for this
 * purpose, within ten minutes. The purpose should include the subject (an account, an attempt).
 */
export const sealTicket = (
  { vault }: { readonly vault: Pick<Vault, "encrypt"> },
  visit: Visit,
  purpose: string,
  content: Readonly<Record<string, unknown>>,
): string => vault.encrypt(JSON.stringify({ ...content, sealedAt: visit.call.now }), contextOf(visit, purpose));

/** Returns the sealed data; undefined when it belongs elsewhere, or has expired. */
export function openTicket(
  { vault }: { readonly vault: Pick<Vault, "decrypt"> },
  visit: Visit,
  purpose: string,
  sealed: string | null,
): Readonly<Record<string, unknown>> | undefined {
  try {
    const content = parseJson(vault.decrypt(sealed ?? "", contextOf(visit, purpose)).reveal());
    if (!isRecord(content) || typeof content["sealedAt"] !== "number") return undefined;
    return visit.call.now - content["sealedAt"] <= lifetime ? content : undefined;
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

/** Returns a text from the sealed data; empty when there is none of this name. */
export function textIn(content: Readonly<Record<string, unknown>> | undefined, name: string): string {
  const value = content?.[name];
  return typeof value === "string" ? value : "";
}

const contextOf = ({ call, browser }: Visit, purpose: string): string =>
  `tickets/${purpose}/${call.instanceId}/${browser.hash}`;
