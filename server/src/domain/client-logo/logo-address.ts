import { createHash } from "node:crypto";
import type { Client } from "../application/index.ts";
import type { Registration } from "../registration/index.ts";

/** Where the logo of a client is. */
export interface LogoAddress {
  readonly instanceId: string;
  readonly url: string;
  /**
   * Whether an administrator answers for the client. A stranger can register the name and the logo of a known brand, so
   * the pages that ask for a password show the logos of approved clients alone.
   */
  readonly isApproved: boolean;
}

/**
 * Returns the address that a client registered for its logo; undefined without one. A client that strangers described
 * in a document must not make this server fetch from anywhere else than where the document is.
 */
export function logoAddressOf(
  client: Pick<Client, "instanceId" | "clientId" | "isConsentRequired">,
  { kind, metadata }: Pick<Registration, "kind" | "metadata">,
): LogoAddress | undefined {
  const url = metadata["logo_uri"];
  if (typeof url !== "string") return undefined;
  const isApproved = !client.isConsentRequired;
  const isAtHome = URL.parse(url)?.origin === URL.parse(client.clientId)?.origin;
  if (kind === "document" && !isApproved && !isAtHome) return undefined;
  return { instanceId: client.instanceId, url, isApproved };
}

/** Returns what tells the addresses of logos apart, so that a changed logo is another file for browsers. */
export const versionOfLogo = ({ url }: Pick<LogoAddress, "url">): string =>
  createHash("sha256").update(url).digest("base64url").slice(0, 22);
