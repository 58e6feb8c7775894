import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import {
  type AuthorizeDeps,
  endSignInsOfUsers,
  type HumanUser,
  holdAuthorizedUser,
  recordUserEvent,
  removeSignInMethod,
  requireHuman,
} from "../user/index.ts";
import { deleteIdentityLinks } from "./identity-link.store.ts";
import { type ExternalAccount, linkPayload } from "./identity-link.ts";

/**
 * Removes the link between a user and an account. Sessions that it opened stay, sign-ins that are under way end.
 * Removing an absent link is accepted: then nothing happens.
 */
export function removeIdentityLink(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  key: ExternalAccount & {
    readonly userId: string;
    /** Step that checks what remains, and throws when that is not enough: then nothing is removed. */
    readonly demandOfRest?: ((tx: Tx, user: HumanUser) => Promise<void>) | undefined;
  },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, key.userId, removeSignInMethod(deps)));
    const [removed] = await deleteIdentityLinks(tx, key);
    if (removed === undefined) return user.details;
    await key.demandOfRest?.(tx, user);
    await endSignInsOfUsers(tx, [user.userId]);
    const payload = linkPayload(removed);
    const sequence = await recordUserEvent(tx, user, { type: "user.human.externalidp.removed", payload });
    return { ...user.details, sequence, changedAt: tx.now };
  });
}
