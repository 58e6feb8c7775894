import { parseTarget } from "../../base/outbound/index.ts";
import type { SecuritySettings } from "../settings/index.ts";

/** Whether a client id may be the address of a metadata document; all other ids are ours. */
export const isDocumentId = (clientId: string): boolean => clientId.startsWith("https://");

/**
 * Returns the address, when the security settings accept it: an https URL with a path, in the one spelling that every
 * parser reads alike, so that two ids never mean one client.
 */
export function acceptDocumentId(
  clientId: string,
  { clientIdMetadataDocument: { enabled, allowAnyUrl, allowedUrls } }: SecuritySettings,
): URL | undefined {
  if (!enabled || !(allowAnyUrl || allowedUrls.includes(clientId))) return undefined;
  const url = parseTarget(clientId);
  return url !== undefined && url.href === clientId && url.pathname !== "/" ? url : undefined;
}
