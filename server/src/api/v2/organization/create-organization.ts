import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import type { AddOrganizationRequest_Admin } from "@doorward/api/service/org/v2/organization_operations_pb";
import { Fault } from "../../../base/fault.ts";
import type { CodeDeps } from "../../../domain/contact/index.ts";
import type { PasswordDeps } from "../../../domain/password/index.ts";
import { createOrganizationWithAdministrators, type NewAdministrator } from "../../../domain/setup/index.ts";
import type { FactorSteps } from "../../../domain/user/index.ts";
import { type Binding, bind, toDetails } from "../../contract/index.ts";
import { readHuman } from "../user/user.ts";

export type OrganizationSetupDeps = PasswordDeps & CodeDeps & FactorSteps;

/** OrganizationService: creating organizations. */
export const organizationSetupMethods = (deps: OrganizationSetupDeps): Binding =>
  bind(OrganizationService, {
    async addOrganization(call, request) {
      const { organizationId, details, created } = await createOrganizationWithAdministrators(deps, call, {
        name: request.name,
        organizationId: request.organizationId ?? request.orgId,
        administrators: request.admins.map((admin, index) => readAdministrator(deps, admin, index)),
      });
      return {
        details: toDetails(details),
        organizationId,
        createdAdmins: created.map(({ userId, emailCode, phoneCode }) => ({
          userId,
          ...(emailCode && { emailCode: emailCode.reveal() }),
          ...(phoneCode && { phoneCode: phoneCode.reveal() }),
        })),
      };
    },
  });

function readAdministrator(
  deps: OrganizationSetupDeps,
  { userType, roles }: AddOrganizationRequest_Admin,
  index: number,
): NewAdministrator {
  switch (userType.case) {
    case "userId":
      return { userId: userType.value, roles };
    case "human": {
      const { accounts, ...human } = readHuman(deps, userType.value);
      return { human, accounts, roles };
    }
    case undefined:
      throw new Fault("invalid_argument", "setup.administrator_missing", { field: `admins[${index}]` });
    default:
      return userType satisfies never;
  }
}
