import { performAll, type Tx } from "../../database/index.ts";
import { recordUserEvent } from "../user/index.ts";
import { deleteLinksOfProvider, listLinksOfProvider } from "./identity-link.store.ts";
import { linkPayload } from "./identity-link.ts";

/** Step: removes all links with a provider that is being deleted. */
export function removeLinksOfProvider(tx: Tx, identityProviderId: string): Promise<void> {
  return performAll(tx, {
    list: (own, limit) => listLinksOfProvider(own, identityProviderId, limit),
    perform: async (own, links) => {
      await deleteLinksOfProvider(own, identityProviderId, links);
      for (const link of links) {
        await recordUserEvent(own, link, {
          type: "user.human.externalidp.cascade.removed",
          payload: linkPayload(link),
        });
      }
    },
  });
}
