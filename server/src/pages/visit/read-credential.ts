import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import type { UntrustedCredential } from "../../domain/factor/index.ts";

/** What the script of a page put into the form: what `navigator.credentials` gave it. Undefined for everything that is not JSON. */
export function readCredential(text: string | null): UntrustedCredential | undefined {
  try {
    const credential = parseJson(text ?? "");
    return isRecord(credential) ? credential : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

const longestName = 100;

/** How the person wants to recognise a passkey or security key; cut where it would be no name any more. */
export const readKeyName = (text: string | null): string => (text ?? "").trim().slice(0, longestName);
