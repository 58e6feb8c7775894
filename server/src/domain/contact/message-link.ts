import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { fillUrlTemplate, isLinkRegistered, isOwnPage, parseUrlTemplate } from "../notification/index.ts";
import { isSelf, type LinkDeps, leadsToInstance } from "../user/index.ts";

interface LinkOf {
  readonly user: { readonly userId: string; readonly organizationId: string };
  readonly template: string | undefined;
  /** What the message can fill in. */
  readonly placeholders: readonly string[];
  readonly field: string;
}

/** The link of a message, as the caller wants it. */
export interface MessageLink {
  readonly template: string;
  /**
   * Whether it leads to a page of ours that takes codes, a host that the instance trusts, or its login. Any other
   * address may lead to an organization's application, whose administrators read the code of any user who follows the
   * link.
   */
  readonly isOfInstance: boolean;
}

/**
 * Step: returns the link of a message to a user as the caller wants it; undefined for the usual one. Administrators of
 * the user have it lead to registered origins. Users who ask for themselves get pages of ours and nothing else: a
 * message in our name to an address that they typed must not lead to a page of theirs.
 */
export async function chooseMessageLink(
  tx: Tx,
  deps: LinkDeps,
  { user, template, placeholders, field }: LinkOf,
): Promise<MessageLink | undefined> {
  if (template === undefined || template === "") return undefined;
  const parsed = parseUrlTemplate(template, placeholders, field);
  const { caller } = tx.call;
  const isOfInstance = await leadsToInstance(tx, deps, tx.instanceId, parsed);
  // Our own pages, for people who are not signed in.
  if (caller === undefined) return { template: parsed, isOfInstance };
  const address = fillUrlTemplate(parsed, {});
  const { organizationId } = user;
  const instance = { instanceId: tx.instanceId, origin: await deps.originOf(tx.instanceId) };
  if (isSelf(tx.call, user.userId) && !caller.access.allows("user.write", { organizationId })) {
    const isOwn = await isOwnPage(tx, instance, address);
    return isOwn ? { template: parsed, isOfInstance } : undefined;
  }
  const organizationIds = [...new Set([organizationId, caller.organizationId])];
  if (isOfInstance || (await isLinkRegistered(tx, instance, { address, organizationIds }))) {
    return { template: parsed, isOfInstance };
  }
  throw new Fault("failed_precondition", "notification.url_template_foreign", { field });
}
