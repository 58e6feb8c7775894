import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { OrgState } from "@doorward/api/service/org/v1/org_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { ProjectGrantState } from "@doorward/api/service/project/v1/grant_pb";
import { UserState } from "@doorward/api/service/user/v1/user_pb";
import { makeClosed, settle } from "./close-entry.ts";
import { EntryRefused } from "./entry-refused.ts";
import type { Entries, ImportedOrganization } from "./imported.ts";
import { pagesOf } from "./reader.ts";
import type { Run } from "./run.ts";

const management = ManagementService.method;

/** Project grants, role assignments and administrators. */
export const grantEntries: readonly Entries[] = [
  ({ orgId, projectGrants }) =>
    projectGrants.map(({ grantId, projectGrant, state }) => ({
      type: "project_grant",
      id: grantId,
      perform: async (run, done) => {
        if (projectGrant === undefined) return run.refuse("data.not_imported");
        const { projectId, grantedOrgId } = projectGrant;
        const make = async () => {
          try {
            const created = await run.perform(management.addProjectGrant, projectGrant, orgId);
            run.ids.set(projectId, grantId, created.grantId);
            return created.grantId;
          } catch (error) {
            if (error instanceof EntryRefused && error.refusal.isExisting) {
              await findGrant(run, { orgId, grantId, projectId, grantedOrgId });
            }
            throw error;
          }
        };
        const id = await (state === ProjectGrantState.INACTIVE
          ? makeClosed({
              make,
              close: (newId) =>
                run.performToEnd(management.deactivateProjectGrant, { projectId, grantId: newId }, orgId),
              remove: (newId) => run.performToEnd(management.removeProjectGrant, { projectId, grantId: newId }, orgId),
              existing: () => run.ids.of(projectId, grantId),
            })
          : make());
        done.projectGrants.push({ grantId: id, projectId, orgId: grantedOrgId });
      },
    })),
  ({ orgId, userGrants }) =>
    userGrants.map((grant) => ({
      type: "user_grant",
      id: `${grant.projectId}_${grant.userId}`,
      perform: async (run, done) => {
        await refuseOthers(run, orgId, grant);
        const projectGrantId = run.ids.of(grant.projectId, grant.projectGrantId);
        await run.perform(management.addUserGrant, { ...grant, projectGrantId }, orgId);
        done.userGrants.push({ projectId: grant.projectId, userId: grant.userId });
      },
    })),
  ({ orgId, orgMembers }) =>
    orgMembers.map((member) => ({
      type: "org_member",
      id: member.userId,
      perform: async (run, done) => {
        await refuseOthers(run, orgId, member);
        await run.perform(management.addOrgMember, member, orgId);
        done.orgMembers.push(member.userId);
      },
    })),
  ({ orgId, projectMembers }) =>
    projectMembers.map((member) => ({
      type: "project_member",
      id: `${member.projectId}_${member.userId}`,
      perform: async (run, done) => {
        await refuseOthers(run, orgId, member);
        await run.perform(management.addProjectMember, member, orgId);
        done.projectMembers.push({ projectId: member.projectId, userId: member.userId });
      },
    })),
  ({ orgId, projectGrantMembers }) =>
    projectGrantMembers.map((member) => ({
      type: "project_grant_member",
      id: `${member.grantId}_${member.userId}`,
      perform: async (run, done) => {
        await refuseOthers(run, orgId, member);
        const { projectId, userId } = member;
        const grantId = run.ids.of(projectId, member.grantId);
        await run.perform(management.addProjectGrantMember, { ...member, grantId }, orgId);
        done.projectGrantMembers.push({ projectId, grantId, userId });
      },
    })),
];

/** States, last of all: what is inactive could not be given roles, and its organization could not be changed. */
export const stateEntries: readonly Entries[] = [
  ({ orgId, humanUsers, machineUsers }) =>
    [...humanUsers, ...machineUsers].flatMap(({ userId, state }) =>
      userId !== "" && (state === UserState.INACTIVE || state === UserState.LOCKED)
        ? [{ type: "user_state", id: userId, perform: (run: Run) => setState(run, { orgId, userId, state }) }]
        : [],
    ),
  ({ orgId, orgState, orgDeactivatedByInstance }) =>
    orgState === OrgState.INACTIVE || orgDeactivatedByInstance
      ? [
          {
            type: "org_state",
            id: orgId,
            perform: (run: Run) => deactivateOrganization(run, { orgId, orgDeactivatedByInstance }),
          },
        ]
      : [],
];

/** Deactivates an organization, for itself or for the instance. */
async function deactivateOrganization(
  { perform, performForInstance }: Run,
  { orgId, orgDeactivatedByInstance }: Pick<ImportedOrganization, "orgId" | "orgDeactivatedByInstance">,
): Promise<void> {
  const deactivate = () => perform(management.deactivateOrg, {}, orgId);
  if (!orgDeactivatedByInstance) return void (await deactivate());
  const request = { organizationId: orgId };
  const refused = await settle(performForInstance(OrganizationService.method.deactivateOrganization, request));
  if (refused === undefined) return;
  // It is inactive at least if the importer may not say for the instance that it is.
  await deactivate();
  throw refused;
}

async function setState(
  { perform }: Run,
  { orgId, userId, state }: { readonly orgId: string; readonly userId: string; readonly state: UserState },
): Promise<void> {
  const method = state === UserState.LOCKED ? management.lockUser : management.deactivateUser;
  await perform(method as typeof management.lockUser, { id: userId }, orgId);
}

// The data means another user than the one who has the id here.
async function refuseOthers(run: Run, orgId: string, { userId }: { readonly userId: string }): Promise<void> {
  if (!(await run.users.isMeant(orgId, userId))) run.refuse("user.not_found");
}

/** Notes the id of the grant that an organization has of the project already. */
async function findGrant(
  run: Run,
  grant: {
    readonly orgId: string;
    readonly grantId: string;
    readonly projectId: string;
    readonly grantedOrgId: string;
  },
): Promise<void> {
  const { orgId, projectId, grantId, grantedOrgId } = grant;
  const list = pagesOf((query) => run.perform(management.listProjectGrants, { projectId, query }, orgId));
  for await (const page of list) {
    const known = page.find((other) => other.grantedOrgId === grantedOrgId);
    if (known !== undefined) return run.ids.set(projectId, grantId, known.grantId);
  }
}
