import { authorize, type Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { findImpersonation, markEnded } from "./impersonation.store.ts";
import type { Impersonation } from "./impersonation.ts";
import { recordImpersonations } from "./record-impersonations.ts";

/**
 * Ends an impersonation, with all tokens that were issued in it, for the administrator who began it and for others who
 * may change the user. One that has ended stays as it is.
 */
export async function endImpersonation(
  deps: { readonly database: Database },
  call: Call,
  { impersonationId }: { readonly impersonationId: string },
): Promise<void> {
  await deps.database.change(call, async (tx) => {
    const found = await findImpersonation(tx, tx.instanceId, impersonationId);
    authorize(call, found, {
      permission: "user.write",
      readPermission: "user.write",
      absent: "impersonation.not_found",
      isOwn: found !== undefined && found.actorId === call.caller?.userId,
      isBeyondLogin: true,
    });
    await end(tx, found);
  });
}

/** Ends the impersonation that a browser has open, on the page where its administrator uses it. */
export async function endImpersonationHere(
  deps: { readonly database: Database },
  call: Call,
  open: Impersonation,
): Promise<void> {
  await deps.database.change(call, (tx) => end(tx, open));
}

async function end(tx: Tx, impersonation: Impersonation): Promise<void> {
  if (await markEnded(tx, impersonation.impersonationId)) {
    await recordImpersonations(tx, [{ what: "ended", impersonation }]);
  }
}
