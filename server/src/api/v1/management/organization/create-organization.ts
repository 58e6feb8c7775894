import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { requireCaller } from "../../../../call/index.ts";
import type { CodeDeps } from "../../../../domain/contact/index.ts";
import type { AddDomainDeps } from "../../../../domain/organization/index.ts";
import type { PasswordDeps } from "../../../../domain/password/index.ts";
import { createOrganizationWithAdministrators } from "../../../../domain/setup/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";

/** ManagementService: creating organizations. */
export const managementSetupMethods = (deps: PasswordDeps & CodeDeps & AddDomainDeps): Binding =>
  bind(ManagementService, {
    async addOrg(call, { name }) {
      const administrators = [{ userId: requireCaller(call).userId, roles: [] }];
      const made = await createOrganizationWithAdministrators(deps, call, { name, administrators });
      return { id: made.organizationId, details: toObjectDetails(made.details) };
    },
  });
