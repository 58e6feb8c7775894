import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { fillUrlTemplate, isLinkRegistered, isOwnPage, parseUrlTemplate } from "../notification/index.ts";
import { isSelf } from "./authorize-user.ts";

interface LinkOf {
  readonly user: { readonly userId: string; readonly organizationId: string };
  readonly template: string | undefined;
  /** What the message can fill in. */
  readonly placeholders: readonly string[];
  readonly field: string;
}

/**
 * Step: returns the link of a message to a user as the caller wants it; undefined for the usual one. Administrators of the
 * user have it lead to registered origins. People who ask for themselves get pages of ours and nothing else: a message
 * in our name to an address that they typed must not lead to a page of theirs.
 */
export async function chooseMessageLink(
  tx: Tx,
  { user, template, placeholders, field }: LinkOf,
): Promise<string | undefined> {
  if (template === undefined || template === "") return undefined;
  const parsed = parseUrlTemplate(template, placeholders, field);
  const { caller } = tx.call;
  // Our own pages, for people who are not signed in.
  if (caller === undefined) return parsed;
  const address = fillUrlTemplate(parsed, {});
  const { organizationId } = user;
  if (isSelf(tx.call, user.userId) && !caller.access.allows("user.write", { organizationId })) {
    return (await isOwnPage(tx, tx.instanceId, address)) ? parsed : undefined;
  }
  const organizationIds = [...new Set([organizationId, caller.organizationId])];
  if (await isLinkRegistered(tx, tx.instanceId, { address, organizationIds })) return parsed;
  throw new Fault("failed_precondition", "notification.url_template_foreign", { field });
}
