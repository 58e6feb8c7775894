import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import type { UntrustedCredential } from "../../domain/webauthn-key/index.ts";

/** Reads the credential that the page's script put into the form. Returns undefined for anything but JSON. */
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

/** Reads the user's name for a passkey or security key; truncated to the length of a name. */
export const readKeyName = (text: string | null): string => (text ?? "").trim().slice(0, longestName);
