import { type Access, type Call, requireCaller, requirePermission } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { currentAccess, mayPrepareFor } from "../administrator-access/index.ts";
import type { CodeDeps } from "../contact/index.ts";
import { putIdentityLink } from "../identity-provider-link/index.ts";
import { findInstance, requireChoiceOfIdentifier } from "../instance/index.ts";
import { appointAdministrator } from "../membership/index.ts";
import {
  applyOrganizationDomain,
  createOrganization,
  type DomainClaims,
  type judgeNewDomain,
} from "../organization/index.ts";
import type { PasswordDeps } from "../password/index.ts";
import { endPreparedSessions } from "../sign-out/index.ts";
import {
  type CreatedUser,
  createPreparedHumanWithAccounts,
  type NewAccount,
  type NewHuman,
  type PreparedHuman,
  prepareHuman,
} from "../user-management/index.ts";

/**
 * An administrator of a new organization: an existing user of any organization, or a user who is created in the new
 * one.
 */
export type NewAdministrator = { readonly roles: readonly string[] } & (
  | { readonly userId: string }
  | { readonly human: Omit<NewHuman, "organizationId">; readonly accounts?: readonly NewAccount[] }
);

export interface NewOrganizationWithAdministrators {
  readonly name: string;
  /** Chosen by the caller, or generated. */
  readonly organizationId?: string | undefined;
  /**
   * A domain that the organization has from the start, besides the one made of its name; verified where no proof is
   * required.
   */
  readonly domain?:
    | { readonly name: string; readonly standing: Awaited<ReturnType<typeof judgeNewDomain>> }
    | undefined;
  readonly administrators: readonly NewAdministrator[];
}

export interface CreatedOrganization {
  readonly organizationId: string;
  readonly details: Details;
  /** The users that were created, in the order of the request. */
  readonly created: readonly CreatedUser[];
}

const tieAccount: Parameters<typeof createPreparedHumanWithAccounts>[1]["tieAccount"] = (tx, user, account) =>
  putIdentityLink(tx, { mayPrepareFor }, user, account);

type Deps = PasswordDeps & CodeDeps & { readonly database: Database; readonly domainClaims?: DomainClaims };

/**
 * Creates an organization with its administrators: all of them, or nothing. Passwords are hashed first, so the caller's
 * roles are read again inside the unit of work: an administrator who was removed meanwhile no longer appoints others.
 */
export async function createOrganizationWithAdministrators(
  deps: Deps,
  call: Call,
  input: NewOrganizationWithAdministrators,
): Promise<CreatedOrganization> {
  requirePermission(call, "org.create", {});
  requireChoiceOfIdentifier(call, "org.write", { identifier: input.organizationId, field: "organizationId" });
  for (const [index, administrator] of input.administrators.entries()) {
    const identifier = "human" in administrator ? administrator.human.userId : undefined;
    requireChoiceOfIdentifier(call, "user.write", { identifier, field: `admins[${index}].human.userId` });
  }
  const organizationId = input.organizationId ?? deps.newId();
  const people = await Promise.all(
    input.administrators.map((administrator) => prepare(deps, call, administrator, organizationId)),
  );
  const result = await deps.database.change(call, async (tx) => {
    const access = await currentAccess(tx, call);
    requirePermission({ ...call, caller: { ...requireCaller(call), access } }, "org.create", {});
    const instance = await findInstance(tx, tx.instanceId);
    const instanceHost = instance?.primaryHost ?? "";
    const { details } = await createOrganization(tx, deps, { name: input.name, organizationId, instanceHost });
    if (input.domain !== undefined) {
      const { standing, name: domain } = input.domain;
      await applyOrganizationDomain(tx, deps, { organizationId, domain, standing });
    }
    const created: CreatedUser[] = [];
    for (const [index, { roles, ...who }] of input.administrators.entries()) {
      const person = people[index];
      const accounts = "human" in who ? (who.accounts ?? []) : [];
      const added = person && (await createPreparedHumanWithAccounts(tx, { ...deps, tieAccount }, person, accounts));
      if (added !== undefined) created.push(added);
      const userId = added?.userId ?? ("userId" in who ? who.userId : "");
      await appoint(tx, { ...deps, access }, organizationId, {
        userId,
        roles: roles.length === 0 ? ["ORG_OWNER"] : roles,
      });
    }
    return { organizationId, details, created };
  });
  if (input.domain?.standing.isProven === true) {
    await deps.domainClaims?.finish(call, { organizationId, domain: input.domain.name });
  }
  return result;
}

async function prepare(
  deps: Deps,
  call: Call,
  administrator: NewAdministrator,
  organizationId: string,
): Promise<PreparedHuman | undefined> {
  return "human" in administrator ? prepareHuman(deps, call, { ...administrator.human, organizationId }) : undefined;
}

function appoint(
  tx: Tx,
  { access, ...deps }: Deps & { readonly access: Access },
  organizationId: string,
  member: { readonly userId: string; readonly roles: readonly string[] },
) {
  const scope = {
    level: "organization",
    resourceId: organizationId,
    ownerId: organizationId,
    permissionScopes: [{ organizationId }],
  } as const;
  return appointAdministrator(tx, { ...deps, endPreparedSessions }, { scope, access }, member);
}
