import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LoginVersion } from "@doorward/api/service/app/v1/app_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import type { LoginVersionSchema } from "@doorward/api/service/application/v2/login_pb";
import type { CreateOIDCApplicationRequestSchema } from "@doorward/api/service/application/v2/oidc_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { AddOIDCAppRequest } from "@doorward/api/service/management/v1/project_app_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import type { Entries } from "./imported.ts";

/** Projects, their roles and applications, which keep their ids. */
export const projectEntries: readonly Entries[] = [
  ({ orgId, projects }) =>
    projects.map(({ projectId, project }) => ({
      type: "project",
      id: projectId,
      perform: async (run, done) => {
        if (project === undefined) return run.refuse("data.not_imported");
        const created = await run.perform(
          ProjectService.method.createProject,
          {
            organizationId: orgId,
            ...(projectId !== "" && { projectId }),
            name: project.name,
            projectRoleAssertion: project.projectRoleAssertion,
            authorizationRequired: project.projectRoleCheck,
            projectAccessRequired: project.hasProjectCheck,
            privateLabelingSetting: project.privateLabelingSetting as number,
          },
          orgId,
        );
        done.projectIds.push(created.projectId);
      },
    })),
  ({ orgId, projectRoles }) =>
    projectRoles.map((role) => ({
      type: "project_role",
      id: `${role.projectId}_${role.roleKey}`,
      perform: async ({ perform }, done) => {
        await perform(ManagementService.method.addProjectRole, role, orgId);
        done.projectRoles.push(`${role.projectId}_${role.roleKey}`);
      },
    })),
  ({ orgId, oidcApps }) =>
    oidcApps.map(({ appId, app }) => ({
      type: "oidc_app",
      id: appId,
      perform: async (run, done) => {
        if (app === undefined) return run.refuse("data.not_imported");
        const created = await run.perform(
          ApplicationService.method.createApplication,
          {
            projectId: app.projectId,
            applicationId: appId,
            name: app.name,
            applicationType: { case: "oidcConfiguration", value: toConfiguration(app) },
          },
          orgId,
        );
        done.oidcAppIds.push(created.applicationId);
      },
    })),
  ({ orgId, apiApps }) =>
    apiApps.map(({ appId, app }) => ({
      type: "api_app",
      id: appId,
      perform: async (run, done) => {
        if (app === undefined) return run.refuse("data.not_imported");
        const created = await run.perform(
          ApplicationService.method.createApplication,
          {
            projectId: app.projectId,
            applicationId: appId,
            name: app.name,
            applicationType: { case: "apiConfiguration", value: { authMethodType: app.authMethodType as number } },
          },
          orgId,
        );
        done.apiAppIds.push(created.applicationId);
      },
    })),
  // No method takes the public key of an application's key.
  ({ appKeys }) =>
    appKeys.map(({ id }) => ({ type: "app_key", id, perform: async (run) => run.refuse("data.not_imported") })),
];

// The enumerations of both generations have the same numbers, except for response types.
const toConfiguration = (app: AddOIDCAppRequest): MessageInitShape<typeof CreateOIDCApplicationRequestSchema> => ({
  redirectUris: app.redirectUris,
  responseTypes: app.responseTypes.map((type) => type + 1),
  grantTypes: app.grantTypes as number[],
  applicationType: app.appType as number,
  authMethodType: app.authMethodType as number,
  postLogoutRedirectUris: app.postLogoutRedirectUris,
  version: app.version as number,
  developmentMode: app.devMode,
  accessTokenType: app.accessTokenType as number,
  accessTokenRoleAssertion: app.accessTokenRoleAssertion,
  idTokenRoleAssertion: app.idTokenRoleAssertion,
  idTokenUserinfoAssertion: app.idTokenUserinfoAssertion,
  ...(app.clockSkew !== undefined && { clockSkew: app.clockSkew }),
  additionalOrigins: app.additionalOrigins,
  skipNativeAppSuccessPage: app.skipNativeAppSuccessPage,
  backChannelLogoutUri: app.backChannelLogoutUri,
  ...(app.loginVersion !== undefined && { loginVersion: toLoginVersion(app.loginVersion) }),
});

function toLoginVersion({ version }: LoginVersion): MessageInitShape<typeof LoginVersionSchema> {
  if (version.case === "loginV1") return { version: { case: "loginV1", value: {} } };
  if (version.case !== "loginV2") return {};
  const { baseUri } = version.value;
  return { version: { case: "loginV2", value: baseUri === undefined ? {} : { baseUri } } };
}
