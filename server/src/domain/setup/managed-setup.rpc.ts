import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { SetUpOrgRequest_Human } from "@doorward/api/service/admin/v1/org_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { Fault } from "../../base/fault.ts";
import { parseDomain } from "../../base/host.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import { type Binding, bind, toObjectDetails, withFields } from "../../contract/index.ts";
import { type AddDomainDeps, judgeNewDomain } from "../organization/index.ts";
import type { AddHuman, CodeDeps, PasswordDeps } from "../user/index.ts";
import { createOrganizationWithAdministrators } from "./create-organization-with-administrators.ts";

export interface ManagedSetupDeps extends PasswordDeps, CodeDeps, AddDomainDeps {
  /** Reads a person from a message; implemented by the adapter of the user module. */
  readonly readPersonV1: (request: SetUpOrgRequest_Human) => Omit<AddHuman, "organizationId">;
}

const fields = {
  username: "human.userName",
  email: "human.email.email",
  phone: "human.phone.phone",
  password: "human.password",
  "profile.givenName": "human.profile.firstName",
  "profile.familyName": "human.profile.lastName",
  name: "org.name",
  domain: "org.domain",
};

/** The first generation of the API: creating organizations. */
export const managedSetupMethods = (deps: ManagedSetupDeps): readonly Binding[] => [
  bind(ManagementService, {
    async addOrg(call, { name }) {
      const administrators = [{ userId: requireCaller(call).userId, roles: [] }];
      const made = await createOrganizationWithAdministrators(deps, call, { name, administrators });
      return { id: made.organizationId, details: toObjectDetails(made.details) };
    },
  }),
  bind(AdminService, {
    async setUpOrg(call, { org, user, roles }) {
      if (user.case === undefined)
        throw new Fault("invalid_argument", "setup.administrator_missing", { field: "human" });
      const human = deps.readPersonV1(user.value);
      const domain = await readDomain(deps, call, org?.domain ?? "");
      const { organizationId, details, created } = await withFields(fields, () =>
        createOrganizationWithAdministrators(deps, call, {
          name: org?.name ?? "",
          domain,
          administrators: [{ human, roles }],
        }),
      );
      return { orgId: organizationId, userId: created[0]?.userId ?? "", details: toObjectDetails(details) };
    },
  }),
];

async function readDomain(deps: ManagedSetupDeps, call: Call, domain: string) {
  if (domain === "") return undefined;
  const name = parseDomain(domain);
  if (name === undefined) throw new Fault("invalid_argument", "organization.domain_invalid", { field: "org.domain" });
  return { name, standing: await judgeNewDomain(deps, call) };
}
