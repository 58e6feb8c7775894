import type { Call } from "../../../call/index.ts";
import type { Client } from "../../../domain/application/index.ts";
import { logoAddressOf, versionOfLogo } from "../../../domain/client-logo/index.ts";
import { findRegistration, type InertMetadata } from "../../../domain/registration/index.ts";
import { toHref } from "../../../html/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { ClientDocument, ClientView } from "../../parts/client.ts";
import { pathTo } from "../../visit/answer.ts";

const members = [
  ["terms", "tos_uri"],
  ["privacy", "policy_uri"],
] as const;

/** What a client registered for users to see of it. */
type ClientFace = Pick<ClientView, "logoHref" | "documents">;

/**
 * Returns terms, privacy policy and logo that a client registered (OpenID Connect Dynamic Client Registration §2).
 * Applications of administrators have none of their own.
 *
 * The logo of a client that strangers registered is shown at `consent` alone, where the page says that it was not
 * checked, and where it sends the user. Anywhere else the logo of a known brand would ask for a password in its name.
 */
export async function findClientFace(
  { database, clientLogos }: Pick<PageDeps, "database" | "clientLogos">,
  { source = "" }: Pick<Call, "source">,
  client: Client,
  page: "consent" | "elsewhere",
): Promise<ClientFace> {
  if (!client.isRegistered) return {};
  const { instanceId, clientId } = client;
  const registration = (await findRegistration(database.read, instanceId, clientId))?.registration;
  if (registration === undefined) return {};
  const documents = listDocuments(registration.metadata);
  const logo = logoAddressOf(client, registration);
  // Always looked up: an unknown logo starts to be fetched here, and is ready when the user is asked for consent.
  const isKnown = logo !== undefined && clientLogos.isKnown(logo, source);
  if (!isKnown || (page === "elsewhere" && !logo.isApproved)) return { documents };
  return { documents, logoHref: pathTo("/ui/login/client-logo", { client: clientId, version: versionOfLogo(logo) }) };
}

const listDocuments = (metadata: InertMetadata): ClientDocument[] =>
  members.flatMap(([kind, member]) => {
    const address = metadata[member];
    const href = typeof address === "string" ? toHref(address) : undefined;
    const host = href === undefined ? undefined : URL.parse(href)?.host;
    return href === undefined || host === undefined ? [] : [{ kind, href, host }];
  });
