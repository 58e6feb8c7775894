import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { ExportDataRequest, ImportDataRequest } from "@doorward/api/service/admin/v1/data_pb";
import { Fault } from "../../../../base/fault.ts";
import { listBuiltInApplicationIds } from "../../../../domain/application/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { createPeople } from "../../../v2/user/user.ts";
import { exportOrganizations } from "./export-organizations.ts";
import { fromFirstFormat } from "./first-format.ts";
import { importOrganizations } from "./import-organizations.ts";
import type { ImportedOrganization } from "./imported.ts";
import { createPerform, type ImportDeps, startRun } from "./run.ts";
import { readTimeout } from "./timeout.ts";

/** AdminService: organizations with what belongs to them, by calls for the caller, or for an organization's data. */
export const dataMethods = (deps: Omit<ImportDeps, "createPeople"> & Parameters<typeof createPeople>[0]): Binding =>
  bind(AdminService, {
    async importData(call, request) {
      const organizations = readOrganizations(request);
      const withPeople = { ...deps, createPeople: createPeople.bind(undefined, deps) };
      const run = startRun(withPeople, call, deps.clock() + readTimeout(request.timeout), organizations);
      return importOrganizations(deps, call, run, organizations);
    },
    async exportData(call, request) {
      refuseOtherOutputs(request);
      const perform = createPerform(deps, call, deps.clock() + readTimeout(request.timeout));
      // Every instance has its own.
      const leftOut = new Set(await listBuiltInApplicationIds(deps.database.read, call.instanceId));
      return { orgs: await exportOrganizations(perform, request, leftOut) };
    },
  });

/** The server reads no files and no stores for a caller: they are its operator's, or in reach of its network. */
function readOrganizations({ data }: ImportDataRequest): readonly ImportedOrganization[] {
  if (data.case === "dataOrgs") return data.value.orgs;
  if (data.case === "dataOrgsv1") return data.value.orgs.map(fromFirstFormat);
  throw new Fault("failed_precondition", "data.location_refused", { field: data.case ?? "dataOrgs" });
}

function refuseOtherOutputs(request: ExportDataRequest): void {
  const { responseOutput, localOutput, s3Output, gcsOutput, withPasswords, withOtp } = request;
  if (!responseOutput || localOutput !== undefined || s3Output !== undefined || gcsOutput !== undefined) {
    throw new Fault("failed_precondition", "data.location_refused", { field: "responseOutput" });
  }
  if (!withPasswords && !withOtp) return;
  throw new Fault("failed_precondition", "data.secrets_refused", {
    field: withPasswords ? "withPasswords" : "withOtp",
  });
}
