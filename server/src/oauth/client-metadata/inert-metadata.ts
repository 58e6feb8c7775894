import { hasInvisible } from "../../base/names/canonical.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import { parseTarget } from "../../base/outbound/index.ts";
import type { InertMetadata } from "../../domain/registration/index.ts";
import { type Members, optionalText, texts } from "./members.ts";

const addresses = ["client_uri", "logo_uri", "policy_uri", "tos_uri"] as const;
const words = ["software_id", "software_version"] as const;

/**
 * Reads metadata that is stored and returned, and that decides nothing: web addresses, contacts, names of software.
 * Pages link to the terms and the privacy policy, and the logo is fetched for them (`domain/client-logo`). An invalid
 * address is refused, to protect these readers.
 */
export function readInertMetadata(members: Members): InertMetadata {
  const kept: Record<string, unknown> = {};
  for (const name of addresses) {
    const address = optionalText(members, name);
    if (address === undefined || address === "") continue;
    if (parseTarget(address) === undefined) throw invalid(`${name} is not a web address`);
    kept[name] = address;
  }
  for (const name of words) {
    const word = optionalText(members, name);
    if (word === undefined) continue;
    if (!isLine(word)) throw invalid(`${name} is not a short text`);
    kept[name] = word;
  }
  const contacts = texts(members, "contacts");
  if (contacts !== undefined) {
    if (contacts.length > 10 || !contacts.every(isLine))
      throw invalid("contacts is not a list of at most 10 short texts");
    kept["contacts"] = contacts;
  }
  const isSessionRequired = members["backchannel_logout_session_required"];
  if (isSessionRequired !== undefined) {
    if (typeof isSessionRequired !== "boolean") throw invalid("backchannel_logout_session_required is not a boolean");
    // Every logout token of ours has a `sid`, so this is true whatever the client requests.
    kept["backchannel_logout_session_required"] = isSessionRequired;
  }
  return kept;
}

const isLine = (text: string): boolean => text.length <= 320 && !hasInvisible(text);

const invalid = (description: string): OAuthError => new OAuthError("invalid_client_metadata", description);
