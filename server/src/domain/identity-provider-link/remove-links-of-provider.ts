import type { Tx } from "../../database/index.ts";
import { recordUserEvent } from "../user/index.ts";
import { deleteLinksOfProvider, listLinksOfProvider } from "./identity-link.store.ts";
import { linkPayload } from "./identity-link.ts";

/** Step: removes all links with a provider that is being deleted. */
export async function removeLinksOfProvider(tx: Tx, identityProviderId: string): Promise<void> {
  const links = await listLinksOfProvider(tx, identityProviderId);
  await deleteLinksOfProvider(tx, identityProviderId);
  for (const link of links) {
    await recordUserEvent(tx, link, { type: "user.human.externalidp.cascade.removed", payload: linkPayload(link) });
  }
}
