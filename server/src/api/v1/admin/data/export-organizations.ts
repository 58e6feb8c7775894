import type { MessageInitShape } from "@bufbuild/protobuf";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { DataOrgSchema, ExportDataRequest } from "@doorward/api/service/admin/v1/data_pb";
import { Fault } from "../../../../base/fault.ts";
import { EntryRefused } from "./entry-refused.ts";
import { exportGrants } from "./export-grants.ts";
import { exportProjects } from "./export-projects.ts";
import { exportSettings } from "./export-settings.ts";
import { exportTexts } from "./export-texts.ts";
import { exportUsers } from "./export-users.ts";
import type { Perform } from "./perform.ts";
import { createReader, type Reader } from "./reader.ts";
import { TimeIsOver } from "./run.ts";

type Exported = MessageInitShape<typeof DataOrgSchema>;

/**
 * Exports organizations as the caller reads them. An export is whole or refused: what may not be read, or is more than
 * one response holds, refuses it. `leftOut`: ids of applications that are not exported.
 */
export async function exportOrganizations(
  perform: Perform,
  { orgIds, excludedOrgIds }: Pick<ExportDataRequest, "orgIds" | "excludedOrgIds">,
  leftOut: ReadonlySet<string>,
): Promise<Exported[]> {
  const reader = createReader(perform);
  const excluded = new Set(excludedOrgIds);
  try {
    const wanted = orgIds.length > 0 ? [...new Set(orgIds)] : await listAll(reader);
    const exported: Exported[] = [];
    for (const orgId of wanted) if (!excluded.has(orgId)) exported.push(await exportOne(reader, orgId, leftOut));
    return exported;
  } catch (error) {
    if (error instanceof TimeIsOver) throw new Fault("resource_exhausted", "data.too_much");
    throw error instanceof EntryRefused && error.refusal.error !== undefined ? error.refusal.error : error;
  }
}

async function listAll({ perform, readAll }: Reader): Promise<string[]> {
  const organizations = await readAll((query) => perform(AdminService.method.listOrgs, { query }));
  return organizations.map(({ id }) => id);
}

async function exportOne(reader: Reader, orgId: string, leftOut: ReadonlySet<string>): Promise<Exported> {
  const { org } = await reader.perform(AdminService.method.getOrgByID, { id: orgId });
  const projects = await exportProjects(reader, orgId, leftOut);
  const users = await exportUsers(reader, orgId);
  const parts = [
    await exportSettings(reader, orgId),
    projects,
    users,
    await exportTexts(reader, orgId),
    await exportGrants(reader, {
      orgId,
      projectIds: projects.projects.map(({ projectId }) => projectId),
      userIds: [...users.humanUsers, ...users.machineUsers].map(({ userId }) => userId),
    }),
  ];
  const whole: Exported = { orgId, org: { name: org?.name ?? "" } };
  if (org !== undefined) {
    whole.orgState = org.state;
    whole.orgDeactivatedByInstance = org.deactivatedByInstance;
  }
  return Object.assign(whole, ...parts) as Exported;
}
