import type { Tx } from "../../database/index.ts";
import { type HumanUser, recordUserEvent } from "../user/index.ts";
import { deleteIdentityLink, listEveryLink } from "./identity-link.store.ts";
import { isProof, linkPayload } from "./identity-link.ts";

/** Step: removes the accounts at providers that were proven in the name of a user; what administrators said stays. */
export async function removeProvenLinks(tx: Tx, user: HumanUser): Promise<void> {
  for (const link of (await listEveryLink(tx, user.userId)).filter(isProof)) {
    await deleteIdentityLink(tx, link);
    await recordUserEvent(tx, user, { type: "user.human.externalidp.removed", payload: linkPayload(link) });
  }
}
