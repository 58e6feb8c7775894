import assert from "node:assert/strict";
import { test } from "node:test";
import { isLong } from "../support/data/random.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { isTurnOf } from "../support/databases/turns.ts";
import {
  appointerOf,
  firstAppointment,
  isInReach,
  type Permitted,
  type ResourceKind,
  resourceKinds,
  resourceOf,
  rolesFor,
} from "./support/appointing.ts";
import { type MatrixFixtures, makeMatrixFixtures } from "./support/fixtures.ts";
import { freeze, frozenMessage, thaw } from "./support/frozen.ts";
import { inParallel } from "./support/in-parallel.ts";
import { type Principal, publishedRoles } from "./support/model.ts";
import type { Tenant } from "./support/tenant.ts";

/** One call, and whether it must be allowed. */
interface Attempt extends Permitted {
  readonly what: string;
  readonly method: string;
  readonly request: object;
  readonly organization?: string | undefined;
}

interface Caller {
  readonly principal: Principal;
  /** Undefined for principals that are not users of this instance. */
  readonly userId: string | undefined;
}

const administrators = "internal_permission.v2.InternalPermissionService";
const authorizations = "authorization.v2.AuthorizationService";

/** Returns the roles that the member of a tenant holds at each kind of resource. */
const heldByMember: Readonly<Record<ResourceKind, string>> = {
  instance: "IAM_OWNER_VIEWER",
  organization: "ORG_OWNER_VIEWER",
  project: "PROJECT_OWNER_VIEWER",
  project_grant: "PROJECT_GRANT_OWNER",
};

/** Tests that administrators of a resource are made, changed and removed: others, and oneself. */
function appointments({ principal, userId: self }: Caller, kind: ResourceKind, tenant: Tenant): Attempt[] {
  const { outsider, member, instanceMember, organization } = tenant.objects;
  const may = appointerOf(principal, kind, tenant);
  const resource = resourceOf(kind, tenant);
  const other = kind === "instance" ? instanceMember : member;
  const held = heldByMember[kind];
  const { position } = principal;
  const isOwnTenant = position?.level === kind && isInReach(principal, kind, tenant);
  const attempt = (what: string, method: string, request: object, permitted: Permitted): Attempt => ({
    what: `${what} at ${kind} of ${tenant.name}`,
    method: `${administrators}/${method}`,
    ...permitted,
    request: { resource, ...request },
  });
  const forHimself = (role: string, request: object, difference: (from: string) => string[]): Attempt =>
    isOwnTenant
      ? attempt(`take ${role} for his own`, "UpdateAdministrator", request, may("write", difference(position.role)))
      : attempt(`take ${role}`, "CreateAdministrator", request, may("write", [role]));
  const given = rolesFor(kind).flatMap((role) => {
    const difference = (from: string): string[] => (from === role ? [] : [from, role]);
    const first = firstAppointment(kind, tenant);
    const roles = [role];
    return [
      attempt(`give ${role}`, "CreateAdministrator", { userId: outsider, roles }, may("write", roles)),
      {
        what: `give ${role} by version 1 at ${kind} of ${tenant.name}`,
        method: first.method,
        organization,
        request: { ...first.request, userId: outsider, roles },
        ...may("write", roles),
      },
      attempt(
        `give ${role} for ${held}`,
        "UpdateAdministrator",
        { userId: other, roles },
        may("write", difference(held)),
      ),
      ...(self === undefined ? [] : [forHimself(role, { userId: self, roles }, difference)]),
    ];
  });
  return [
    ...given,
    attempt(`remove ${held}`, "DeleteAdministrator", { userId: other }, may("delete", [held])),
    ...(self !== undefined && isOwnTenant
      ? [attempt("give it up", "DeleteAdministrator", { userId: self }, { isAllowed: true, isClose: true })]
      : []),
  ];
}

/** Whether the principal may change or remove an assignment over a grant: the holder of the grant decides. */
function mayOverGrant(principal: Principal, tenant: Tenant, verb: "write" | "delete"): boolean {
  const { position } = principal;
  const isOfOwner = position?.level === "project" || position?.resourceId === tenant.objects["organization"];
  return holds(principal, verb) && !isOfOwner && isInReach(principal, "project_grant", tenant);
}

// A sign-in application holds the permission and gives no roles (A14).
const holds = ({ position }: Principal, verb: "write" | "delete"): boolean =>
  position?.role !== "IAM_LOGIN_CLIENT" && holdsAsPublished(position?.role, verb);

const holdsAsPublished = (role: string | undefined, verb: "write" | "delete"): boolean =>
  publishedRoles.get(role ?? "")?.permissions.has(`user.grant.${verb}`) ?? false;

/** Tests changing and removing assignments over a grant. */
function changesOverGrant({ principal }: Caller, tenant: Tenant): Attempt[] {
  const { lentAuthorization: id } = tenant.objects;
  const change = (method: string, request: object, isAllowed: boolean): Attempt => ({
    what: `${method} over the grant in ${tenant.name}`,
    method: `${authorizations}/${method}`,
    request: { id, ...request },
    isAllowed,
    isClose: isAllowed,
  });
  const mayWrite = mayOverGrant(principal, tenant, "write");
  return [
    change("UpdateAuthorization", { roleKeys: [] }, mayWrite),
    change("UpdateAuthorization", { roleKeys: ["nobody"] }, false),
    change("DeactivateAuthorization", {}, mayWrite),
    change("ActivateAuthorization", {}, mayWrite),
    change("DeleteAuthorization", {}, mayOverGrant(principal, tenant, "delete")),
  ];
}

/** Tests assigning roles of a project, as its owner and over a grant, to others and to oneself. */
function assignments({ principal, userId: self }: Caller, tenant: Tenant): Attempt[] {
  const { outsider, project: projectId, organization, grantedOrganization } = tenant.objects;
  return (
    [
      ["by the owner", organization, holds(principal, "write") && isInReach(principal, "project", tenant)],
      ["over the grant", grantedOrganization, mayOverGrant(principal, tenant, "write")],
    ] as const
  ).flatMap(([where, organizationId, isAllowed]) =>
    [outsider, self].flatMap((userId) => {
      if (userId === undefined) return [];
      const whom = userId === self ? "himself" : "others";
      const make = (roleKey: string, may: boolean): Attempt => ({
        what: `assign ${roleKey} to ${whom} ${where} in ${tenant.name}`,
        isAllowed: may,
        isClose: isAllowed,
        method: `${authorizations}/CreateAuthorization`,
        request: { userId, projectId, organizationId, roleKeys: [roleKey] },
      });
      // Holders of a grant alone assign roles to people whom they may know.
      const isKnown = userId === self || principal.position?.level !== "project_grant";
      return [make("reader", isAllowed && isKnown), make("nobody", false)];
    }),
  );
}

eachEngine((_open, engine) => {
  test("no caller hands out more roles than they may grant, to themselves or to others, whatever the purpose", async (t) => {
    const fixtures = await assignOverGrants(await makeMatrixFixtures(t, engine));
    const callers = await Promise.all(fixtures.principals.map((principal) => identify(fixtures, principal)));
    const complaints: string[] = [];
    let allowed = 0;
    const attempts = callers.flatMap((caller) => attemptsOf(fixtures, caller).map((attempt) => ({ caller, attempt })));
    // In the short version each engine takes a part, always the same; holders of the permission are always asked on one
    // of the two.
    const part = engine === "sqlite" ? 0 : 3;
    const taken = attempts.filter(({ caller: { principal }, attempt: { isClose, what } }, index) =>
      isClose ? isTurnOf(engine, `${principal.name} ${what}`) : isLong() || index % 6 === part,
    );
    await inParallel(taken, async ({ caller: { principal }, attempt }) => {
      const { what, method, request, organization, isAllowed } = attempt;
      const headers = organization === undefined ? {} : { "x-service-orgid": organization };
      const answer = await fixtures.server.rest("POST", `/service.${method}`, {
        body: request,
        token: principal.token,
        headers,
      });
      if (isAllowed) allowed++;
      // Removing an absent assignment succeeds.
      const isNothing = /\/Delete/.test(method) && answer.status === 200;
      // An allowed call met the frozen database, or a user who already has the role.
      const wasLetThrough = !isNothing && [200, 409, 500].includes(answer.status);
      const isRefused = isNothing || [400, 401, 403, 404].includes(answer.status);
      if (isAllowed ? !wasLetThrough : !isRefused) {
        const slug = answer.body?.details?.[0]?.debug?.id;
        complaints.push(`${principal.name} ${isAllowed ? "may" : "may not"} ${what}: ${answer.status} ${slug}`);
      }
    });
    const unexpected = fixtures.server.errorLog.splice(0).filter((line) => !line.includes(frozenMessage));
    assert.deepEqual([...complaints.sort(), ...unexpected], []);
    t.diagnostic(`${taken.length} of ${attempts.length} attempts, ${allowed} of them allowed`);
    assert.ok(allowed > 300 && taken.length - allowed > 300, `${allowed} of ${taken.length}`);
  });
});

function attemptsOf({ tenants }: MatrixFixtures, caller: Caller): Attempt[] {
  const { own, otherOrganization, otherInstance, absent } = tenants;
  const near = [own, otherOrganization];
  return [
    ...near.flatMap((tenant) =>
      resourceKinds
        .filter((kind) => kind !== "instance" || tenant === own)
        .flatMap((kind) => appointments(caller, kind, tenant)),
    ),
    ...near.flatMap((tenant) => [...assignments(caller, tenant), ...changesOverGrant(caller, tenant)]),
    // An object of another instance, or an absent one, does not exist for any caller.
    ...[otherInstance, absent].flatMap((tenant) => [
      ...resourceKinds
        .filter((kind) => kind !== "instance")
        .flatMap((kind) => appointments(caller, kind, tenant).slice(0, 3)),
      ...assignments(caller, tenant),
    ]),
  ];
}

/** Assigns a role over each grant. */
async function assignOverGrants(fixtures: MatrixFixtures): Promise<MatrixFixtures> {
  const { server, tenants } = fixtures;
  await thaw(server.location);
  const assigned = async (tenant: Tenant): Promise<Tenant> => {
    const { member: userId, project: projectId, grantedOrganization: organizationId } = tenant.objects;
    const made = await server.connect(`service.${authorizations}/CreateAuthorization`, {
      userId,
      projectId,
      organizationId,
      roleKeys: ["reader"],
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return { ...tenant, objects: { ...tenant.objects, lentAuthorization: made.body.id } };
  };
  const [own, otherOrganization] = [await assigned(tenants.own), await assigned(tenants.otherOrganization)];
  await freeze(server.app.domain.database);
  return { ...fixtures, tenants: { ...tenants, own, otherOrganization } };
}

async function identify({ server }: MatrixFixtures, principal: Principal): Promise<Caller> {
  const { status, body } = await server.rest("GET", "/auth/v1/users/me", { token: principal.token });
  return { principal, userId: status === 200 ? body.user.id : undefined };
}
