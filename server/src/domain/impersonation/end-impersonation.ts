import { authorize, type Call } from "../../call/index.ts";
import { type Database, performAll, type Tx } from "../../database/index.ts";
import { endAll, findImpersonation, listOpenIds } from "./impersonation.store.ts";
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
    if (found !== undefined) await end(tx, [found.impersonationId]);
  });
}

/** Ends the impersonation that a browser has open, on the page where its administrator uses it. */
export async function endImpersonationHere(
  deps: { readonly database: Database },
  call: Call,
  { impersonationId }: Pick<Impersonation, "impersonationId">,
): Promise<void> {
  await deps.database.change(call, (tx) => end(tx, [impersonationId]));
}

/**
 * Step: ends the impersonations of a user at an application, of which several administrators may have one, because the
 * user takes its access away.
 */
export function endImpersonationsAt(
  tx: Tx,
  { userId, clientId }: Pick<Impersonation, "userId" | "clientId">,
): Promise<void> {
  return performAll(tx, {
    list: (own, limit) => listOpenIds(own, { userId, clientId, limit }),
    perform: (own, ids) => end(own, ids),
    // Each has the events of two users.
    size: 20,
  });
}

async function end(tx: Tx, impersonationIds: readonly string[]): Promise<void> {
  const ended = await endAll(tx, impersonationIds);
  await recordImpersonations(
    tx,
    ended.map((impersonation) => ({ what: "ended", impersonation })),
  );
}
