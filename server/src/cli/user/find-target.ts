import type { ApiClient } from "../api-call.ts";
import { listAllOf, textOf } from "../app/api-record.ts";
import { findDefaultOrganization } from "../app/register-application.ts";
import type { Target } from "./checking/prepare-user.ts";
import { type ImportOptions, readProviders } from "./import-options.ts";

/** Finds what the options name at the server, so that a wrong name ends the run before it begins. */
export async function findTarget(api: ApiClient, options: ImportOptions): Promise<Target> {
  const providers = readProviders(options.provider);
  for (const id of providers.values()) await api("idp.v2.IdentityProviderService/GetIDPByID", { id });
  return {
    organizationId: options.organization ?? (await findDefaultOrganization(api)),
    hasNewIds: options.newIds === true,
    projectId: options.project,
    roleKeys: options.project === undefined ? new Set() : await listRoleKeys(api, options.project),
    providers,
    emailDomain: options.missingEmailDomain,
  };
}

async function listRoleKeys(api: ApiClient, projectId: string): Promise<ReadonlySet<string>> {
  const roles = await listAllOf("projectRoles", (pagination) =>
    api("project.v2.ProjectService/ListProjectRoles", { projectId, pagination }),
  );
  return new Set(roles.map((role) => textOf(role, "key")));
}
