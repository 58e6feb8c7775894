import { findRegistration } from "../../../domain/registration/index.ts";
import { toHref } from "../../../html/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { ClientDocument } from "./view.ts";

const members = [
  ["terms", "tos_uri"],
  ["privacy", "policy_uri"],
] as const;

/**
 * Returns the terms and the privacy policy that a client registered (OpenID Connect Dynamic Client Registration §2).
 * Applications of administrators have none of their own.
 */
export async function findClientDocuments(
  { database }: Pick<PageDeps, "database">,
  instanceId: string,
  clientId: string,
): Promise<ClientDocument[]> {
  const { metadata = {} } = (await findRegistration(database.read, instanceId, clientId))?.registration ?? {};
  return members.flatMap(([kind, member]) => {
    const address = metadata[member];
    const href = typeof address === "string" ? toHref(address) : undefined;
    const host = href === undefined ? undefined : URL.parse(href)?.host;
    return href === undefined || host === undefined ? [] : [{ kind, href, host }];
  });
}
