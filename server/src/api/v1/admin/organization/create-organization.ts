import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { Fault } from "../../../../base/fault.ts";
import { parseDomain } from "../../../../base/names/host.ts";
import type { Call } from "../../../../call/index.ts";
import type { CodeDeps } from "../../../../domain/contact/index.ts";
import { type AddDomainDeps, judgeNewDomain } from "../../../../domain/organization/index.ts";
import type { PasswordDeps } from "../../../../domain/password/index.ts";
import { createOrganizationWithAdministrators } from "../../../../domain/setup/index.ts";
import { type Binding, bind, toObjectDetails, withFields } from "../../../contract/index.ts";
import { readPersonV1 } from "../../common/user/person.ts";

export type OrganizationSetupDeps = PasswordDeps & CodeDeps & AddDomainDeps;

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

/** AdminService: creating organizations together with their first administrator. */
export const adminSetupMethods = (deps: OrganizationSetupDeps): Binding =>
  bind(AdminService, {
    async setUpOrg(call, { org, user, roles }) {
      if (user.case === undefined)
        throw new Fault("invalid_argument", "setup.administrator_missing", { field: "human" });
      const human = readPersonV1(user.value);
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
  });

async function readDomain(deps: OrganizationSetupDeps, call: Call, domain: string) {
  if (domain === "") return undefined;
  const name = parseDomain(domain);
  if (name === undefined) throw new Fault("invalid_argument", "organization.domain_invalid", { field: "org.domain" });
  return { name, standing: await judgeNewDomain(deps, call) };
}
