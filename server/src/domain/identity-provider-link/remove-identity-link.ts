import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import {
  type AuthorizeDeps,
  type HumanUser,
  holdAuthorizedUser,
  recordUserEvent,
  requireHuman,
  writeOwnWayIn,
} from "../user/index.ts";
import { deleteIdentityLink } from "./identity-link.store.ts";
import { type ExternalAccount, linkPayload } from "./identity-link.ts";

/** Unties an account from a person; sessions that it opened stay. One that is not there is fine: then nothing happens. */
export function removeIdentityLink(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  key: ExternalAccount & {
    readonly userId: string;
    /** Step that looks at what is left, and throws when that does not do: then nothing is removed. */
    readonly demandOfRest?: ((tx: Tx, user: HumanUser) => Promise<void>) | undefined;
  },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, key.userId, writeOwnWayIn(deps)));
    const removed = await deleteIdentityLink(tx, key);
    if (removed === undefined) return user.details;
    await key.demandOfRest?.(tx, user);
    const payload = linkPayload(removed);
    const sequence = await recordUserEvent(tx, user, { type: "user.human.externalidp.removed", payload });
    return { ...user.details, sequence, changedAt: tx.now };
  });
}
