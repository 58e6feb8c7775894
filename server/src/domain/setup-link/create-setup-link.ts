import type { Budgets } from "../../base/budget/budgets.ts";
import { spend } from "../../base/budget/spend.ts";
import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import { hashSecret, type Secret } from "../../base/secret.ts";
import { authorize, type Call, generateToken, isOfInstance, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findOrganization, holdOrganizationFor } from "../organization/index.ts";
import { countOpenLinks, findHome, insertLink } from "./setup-link.store.ts";
import {
  creatorPermission,
  endAfter,
  lifetimes,
  linkAggregate,
  mostOpen,
  permissionsOf,
  type SetupLink,
  type SetupPart,
} from "./setup-link.ts";

export interface CreateSetupLinkDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly random: Random;
  readonly budgets: Budgets;
}

export interface NewSetupLink {
  readonly organizationId: string;
  readonly parts: readonly SetupPart[];
  /** Days; the usual lifetime when 0. */
  readonly lifetime: number;
}

/**
 * Creates a link, and returns the secret that is in it, once. The caller may do everything that the link allows, and
 * may appoint administrators of the organization. Only users of the instance create links: system users and the
 * operator have no rights that could be read again.
 */
export async function createSetupLink(
  deps: CreateSetupLinkDeps,
  call: Call,
  { organizationId, parts, lifetime }: NewSetupLink,
): Promise<{ readonly link: SetupLink; readonly code: Secret }> {
  const caller = requireCaller(call);
  authorize(call, await findOrganization(deps.database.read, call.instanceId, organizationId), may(creatorPermission));
  if (!isOfInstance(caller) || (await findHome(deps.database.read, call.instanceId, caller.userId)) === undefined) {
    throw new Fault("failed_precondition", "setup_link.caller_not_user");
  }
  takeFromBudget(deps, call, caller.userId);
  const code = generateToken("setupLink", deps.random);
  return deps.database.change(call, async (tx) => {
    const organization = await holdOrganizationFor(tx, organizationId, creatorPermission);
    for (const permission of parts.flatMap((part) => permissionsOf[part])) {
      authorize(call, organization, may(permission));
    }
    if (organization.state !== "active") throw new Fault("failed_precondition", "organization.not_active");
    if ((await countOpenLinks(tx, organizationId)) >= mostOpen) {
      throw new Fault("resource_exhausted", "setup_link.too_many_open");
    }
    const link: SetupLink = {
      linkId: deps.newId(),
      organizationId,
      creatorId: caller.userId,
      creatorTokenId: caller.token?.kind === "personal_access_token" ? caller.token.id : undefined,
      parts: [...new Set(parts)],
      openedAt: undefined,
      expiresAt: endAfter(tx.now, lifetime === 0 ? lifetimes.usual : lifetime),
      revokedAt: undefined,
      finishedAt: undefined,
      identityProviderId: undefined,
      sequence: 1,
      createdAt: tx.now,
      changedAt: tx.now,
    };
    insertLink(tx, link, hashSecret(code));
    tx.record({
      type: "setup_link.created",
      ...linkAggregate(link),
      sequence: link.sequence,
      payload: { parts: link.parts, expiresAt: link.expiresAt },
    });
    return { link, code };
  });
}

const may = (permission: string) => ({
  permission,
  readPermission: "org.read",
  absent: "organization.not_found",
  isBeyondLogin: true,
});

function takeFromBudget({ budgets }: CreateSetupLinkDeps, { instanceId, now }: Call, subject: string): void {
  spend(budgets, "setup_links_of_caller", { instanceId, now, subject });
}
