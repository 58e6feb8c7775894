import type { Details, Tx } from "../../database/index.ts";
import { findInstance, recordInstanceEvent } from "../instance/index.ts";
import { findOrganization, recordOrganizationEvent } from "../organization/index.ts";
import type { MessageTextKey } from "./message-text.store.ts";
import type { OwnMessageText } from "./message-text.ts";

/** Step: counts and records a change of a text, which shares the sequence of its owner. */
export function recordMessageText(
  tx: Tx,
  { organizationId, kind, language }: MessageTextKey,
  change: { readonly what: "set"; readonly parts: OwnMessageText } | { readonly what: "reset" },
): Promise<Details> {
  const message = { kind, language };
  if (change.what === "reset") {
    return organizationId === ""
      ? recordInstanceEvent(tx, { type: "instance.message_text.reset", payload: message })
      : recordOrganizationEvent(tx, organizationId, { type: "organization.message_text.reset", payload: message });
  }
  const payload = { ...message, parts: change.parts };
  return organizationId === ""
    ? recordInstanceEvent(tx, { type: "instance.message_text.set", payload })
    : recordOrganizationEvent(tx, organizationId, { type: "organization.message_text.set", payload });
}

/** Step: returns the details of a text's owner, for a response without a change. */
export async function readOwnerDetails(tx: Tx, { organizationId }: MessageTextKey): Promise<Details> {
  const owner =
    organizationId === ""
      ? await findInstance(tx, tx.instanceId)
      : await findOrganization(tx, tx.instanceId, organizationId);
  if (owner === undefined) throw new Error(`the owner of message texts is gone: ${organizationId || tx.instanceId}`);
  return owner.details;
}
