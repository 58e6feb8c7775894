import { minutes } from "../../base/clock.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { type Vault, VaultError } from "../../base/vault.ts";
import type { Visit } from "./visit.ts";

const lifetime = minutes(10);

/**
 * Seals what a page needs again with its form and what is stored nowhere: only this browser can bring it back, for this purpose, for ten minutes.
 * What it is about (an account, a way) belongs into the purpose.
 */
export const sealTicket = (
  { vault }: { readonly vault: Pick<Vault, "encrypt"> },
  visit: Visit,
  purpose: string,
  content: Readonly<Record<string, unknown>>,
): string => vault.encrypt(JSON.stringify({ ...content, sealedAt: visit.call.now }), contextOf(visit, purpose));

/** What was sealed; undefined when it was not for here, or is too old. */
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

/** A text of what was sealed; empty when there is none of this name. */
export function textIn(content: Readonly<Record<string, unknown>> | undefined, name: string): string {
  const value = content?.[name];
  return typeof value === "string" ? value : "";
}

const contextOf = ({ call, browser }: Visit, purpose: string): string =>
  `tickets/${purpose}/${call.instanceId}/${browser.hash}`;
