import { endPreparedSessions } from "../domain/sign-out/index.ts";
import type { Binding } from "./contract/index.ts";
import type { ApiDeps } from "./deps.ts";
import { authAuthorizationMethods } from "./v1/auth/authorization/authorization.ts";
import { managementApplicationMethods } from "./v1/management/application/application.ts";
import { managementApplicationKeyMethods } from "./v1/management/application/application-key.ts";
import { managementAuthorizationMethods } from "./v1/management/authorization/authorization.ts";
import { managementProjectDeletionMethods } from "./v1/management/project/delete-project.ts";
import { managementProjectMethods } from "./v1/management/project/project.ts";
import { managementProjectGrantMethods } from "./v1/management/project/project-grant.ts";
import { managementProjectRoleMethods } from "./v1/management/project/project-role.ts";
import { applicationMethods } from "./v2/application/application.ts";
import { applicationKeyMethods } from "./v2/application/application-key.ts";
import { applicationDeletionMethods } from "./v2/application/delete-application.ts";
import { authorizationMethods } from "./v2/authorization/authorization.ts";
import { projectDeletionMethods } from "./v2/project/delete-project.ts";
import { projectMethods } from "./v2/project/project.ts";
import { projectGrantMethods } from "./v2/project/project-grant.ts";
import { projectRoleMethods } from "./v2/project/project-role.ts";
import { resourceMethods } from "./v2/resource/resource.ts";

/** Returns the methods for projects and their parts: roles, grants, applications, role assignments. */
export function projectBindings(deps: ApiDeps): Binding[] {
  return [
    projectMethods({ ...deps, endPreparedSessions }),
    projectRoleMethods(deps),
    projectGrantMethods(deps),
    projectDeletionMethods(deps),
    applicationMethods(deps),
    applicationKeyMethods(deps),
    applicationDeletionMethods(deps),
    resourceMethods(deps),
    authorizationMethods(deps),
    authAuthorizationMethods(deps),
    managementProjectMethods({ ...deps, endPreparedSessions }),
    managementProjectRoleMethods(deps),
    ...managementProjectGrantMethods(deps),
    managementApplicationMethods(deps),
    managementApplicationKeyMethods(deps),
    managementAuthorizationMethods(deps),
    managementProjectDeletionMethods(deps),
  ];
}
