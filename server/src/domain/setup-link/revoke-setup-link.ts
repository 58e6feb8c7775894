import { Fault } from "../../base/fault.ts";
import { authorize, type Call } from "../../call/index.ts";
import { type Database, performBefore, type Tx } from "../../database/index.ts";
import { stopUnansweredProvider } from "../identity-provider/index.ts";
import { findLink, finishLinkRow, revokeLinkRow } from "./setup-link.store.ts";
import { creatorPermission, linkAggregate, listerPermission, type SetupLink } from "./setup-link.ts";

/**
 * Ends a link: whatever its holder does afterwards is refused, and the provider that they added is deactivated, unless
 * an administrator answers for it by now: the link may have been in the wrong hands. So it is also where the link has
 * ended already: its holder cannot keep the provider by pressing Finish.
 */
export function revokeSetupLink(
  deps: { readonly database: Database },
  call: Call,
  { linkId }: { readonly linkId: string },
): Promise<SetupLink> {
  return deps.database.change(call, async (tx) => {
    const link = await findLink(tx, tx.instanceId, linkId);
    authorize(call, link, {
      permission: creatorPermission,
      readPermission: listerPermission,
      absent: "setup_link.not_found",
      isBeyondLogin: true,
    });
    const { organizationId: ownerOrganizationId, identityProviderId } = link;
    // Before the row of the link is written, as the steps of its holder do: the organization first, then the link.
    if (identityProviderId !== undefined) {
      await stopUnansweredProvider(tx, { ownerOrganizationId, identityProviderId });
    }
    const sequence = await revokeLinkRow(tx, linkId);
    if (sequence !== undefined) recordEnd(tx, link, { sequence, isFinished: false });
    const ended = await findEnded(tx, linkId);
    // The holder may have added one until the link was held. Then this begins again, from the provider on.
    const isLeft = () => Promise.resolve(ended.identityProviderId !== identityProviderId);
    await performBefore(tx, { isLeft, perform: () => Promise.resolve() });
    return ended;
  });
}

/**
 * Ends the link that a browser has open, because its holder is done. Nothing happens where it was revoked in the
 * meantime.
 */
export async function finishSetupLink(
  deps: { readonly database: Database },
  call: Call,
  link: SetupLink,
): Promise<void> {
  await deps.database.change(call, async (tx) => {
    const sequence = await finishLinkRow(tx, link.linkId);
    if (sequence !== undefined) recordEnd(tx, link, { sequence, isFinished: true });
  });
}

function recordEnd(
  tx: Tx,
  link: SetupLink,
  { sequence, isFinished }: { readonly sequence: number; readonly isFinished: boolean },
): void {
  tx.record({ type: "setup_link.revoked", ...linkAggregate(link), sequence, payload: { isFinished } });
}

async function findEnded(tx: Tx, linkId: string): Promise<SetupLink> {
  const ended = await findLink(tx, tx.instanceId, linkId);
  if (ended === undefined) throw new Fault("not_found", "setup_link.not_found", { field: "id" });
  return ended;
}
