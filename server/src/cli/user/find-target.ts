import type { ApiClient } from "../api-client.ts";
import { listOf, textOf } from "../app/api-record.ts";
import { findDefaultOrganization } from "../app/register-application.ts";
import type { Target } from "./checking/prepare-user.ts";
import { type ImportOptions, readProviders } from "./import-options.ts";

const pageLength = 1000;

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
  const keys = new Set<string>();
  for (;;) {
    const page = await api("project.v2.ProjectService/ListProjectRoles", {
      projectId,
      pagination: { offset: keys.size, limit: pageLength, asc: true },
    });
    const roles = listOf(page, "projectRoles");
    for (const role of roles) keys.add(textOf(role, "key"));
    if (roles.length < pageLength) return keys;
  }
}
