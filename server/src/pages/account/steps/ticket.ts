import { minutes } from "../../../base/clock.ts";
import { isRecord, parseJson } from "../../../base/json.ts";
import { VaultError } from "../../../base/vault.ts";
import type { PageDeps } from "../../deps.ts";
import type { Account } from "./account.ts";

/** What a ticket is for; one for something else means nothing. */
export type TicketPurpose = "key" | "totp" | "recovery_codes";

const lifetime = minutes(10);

/** Seals what a page needs again with its form: only this browser, for this account and purpose, can bring it back, for ten minutes. */
export const sealTicket = (
  { vault }: PageDeps,
  account: Account,
  purpose: TicketPurpose,
  content: Readonly<Record<string, unknown>>,
): string => vault.encrypt(JSON.stringify({ ...content, sealedAt: account.call.now }), contextOf(account, purpose));

/** What was sealed; undefined when it was not for here, or is too old. */
export function openTicket(
  { vault }: PageDeps,
  account: Account,
  purpose: TicketPurpose,
  sealed: string | null,
): Readonly<Record<string, unknown>> | undefined {
  try {
    const content = parseJson(vault.decrypt(sealed ?? "", contextOf(account, purpose)).reveal());
    if (!isRecord(content) || typeof content["sealedAt"] !== "number") return undefined;
    return account.call.now - content["sealedAt"] <= lifetime ? content : undefined;
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

const contextOf = ({ call, visit, user }: Account, purpose: TicketPurpose): string =>
  `account_tickets/${purpose}/${call.instanceId}/${user.userId}/${visit.browser.hash}`;
