import type { Call } from "../call/index.ts";
import type { Binding } from "../contract/index.ts";
import { applicationMethods } from "../domain/application/application.rpc.ts";
import { applicationKeyMethods } from "../domain/application/application-key.rpc.ts";
import { managedApplicationMethods } from "../domain/application/managed-application.rpc.ts";
import { managedApplicationKeyMethods } from "../domain/application/managed-application-key.rpc.ts";
import { authorizationMethods } from "../domain/authorization/authorization.rpc.ts";
import { managedAuthorizationMethods } from "../domain/authorization/managed-authorization.rpc.ts";
import { ownAuthorizationMethods } from "../domain/authorization/own-authorization.rpc.ts";
import { managedProjectDeletionMethods } from "../domain/deletion/managed-project-deletion.rpc.ts";
import { applicationDeletionMethods, projectDeletionMethods } from "../domain/deletion/project-deletion.rpc.ts";
import { createProjectOfCaller } from "../domain/membership/index.ts";
import type { NewProject, Project } from "../domain/project/index.ts";
import { managedProjectMethods } from "../domain/project/managed-project.rpc.ts";
import { managedProjectGrantMethods } from "../domain/project/managed-project-grant.rpc.ts";
import { managedProjectRoleMethods } from "../domain/project/managed-project-role.rpc.ts";
import { projectMethods } from "../domain/project/project.rpc.ts";
import { projectGrantMethods } from "../domain/project/project-grant.rpc.ts";
import { projectRoleMethods } from "../domain/project/project-role.rpc.ts";
import { resourceMethods } from "../domain/resource/resource.rpc.ts";
import type { Domain } from "./domain.ts";

/** Returns the methods for projects and their parts: roles, grants, applications, role assignments. */
export function projectBindings(domain: Domain): Binding[] {
  const createProject = (call: Call, input: NewProject): Promise<Project> => createProjectOfCaller(domain, call, input);
  return [
    projectMethods({ ...domain, createProject }),
    projectRoleMethods(domain),
    projectGrantMethods(domain),
    projectDeletionMethods(domain),
    applicationMethods(domain),
    applicationKeyMethods(domain),
    applicationDeletionMethods(domain),
    resourceMethods(domain),
    authorizationMethods(domain),
    ownAuthorizationMethods(domain),
    managedProjectMethods({ ...domain, createProject }),
    managedProjectRoleMethods(domain),
    ...managedProjectGrantMethods(domain),
    managedApplicationMethods(domain),
    managedApplicationKeyMethods(domain),
    managedAuthorizationMethods(domain),
    managedProjectDeletionMethods(domain),
  ];
}
