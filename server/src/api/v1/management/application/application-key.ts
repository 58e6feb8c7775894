import type { MessageInitShape } from "@bufbuild/protobuf";
import { type KeySchema, KeyType } from "@doorward/api/service/authn/v1/authn_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Call } from "../../../../call/index.ts";
import {
  type ApplicationKey,
  type ApplicationKeyFilter,
  type CreateApplicationKeyDeps,
  createApplicationKey,
  deleteApplicationKey,
  getApplication,
  getApplicationKey,
  listApplicationKeys,
} from "../../../../domain/application/index.ts";
import { requireProjectOfOrganization } from "../../../../domain/project/index.ts";
import {
  type Binding,
  bind,
  checkFirst,
  fromTimestamp,
  type Handlers,
  toListDetailsV1,
  toObjectDetails,
  toPageV1,
  toTimestamp,
} from "../../../contract/index.ts";

interface Named {
  readonly projectId: string;
  readonly appId: string;
}

/** ManagementService: keys of applications in projects of the organization of the call. */
export function managementApplicationKeyMethods(deps: CreateApplicationKeyDeps): Binding {
  const ofApplication: Handlers<typeof ManagementService> = {
    async getAppKey(call, { keyId, ...app }) {
      return { key: toMessage(await getApplicationKey(deps, call, { keyId, filters: keysOf(app) })) };
    },
    async listAppKeys(call, { query, ...app }) {
      const { rows, total } = await listApplicationKeys(deps, call, {
        ...toPageV1(query),
        filters: keysOf(app),
        orderBy: "created_at",
      });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
    },
    async addAppKey(call, { projectId, appId: applicationId, expirationDate }) {
      const { keyId, details, keyFile } = await createApplicationKey(deps, call, {
        projectId,
        applicationId,
        ...(expirationDate && { expiresAt: fromTimestamp(expirationDate) }),
      });
      const keyDetails = Buffer.from(keyFile?.reveal() ?? "", "utf8");
      return { id: keyId, details: toObjectDetails(details), keyDetails };
    },
    // Removing a key that does not exist succeeds, and nothing changes.
    async removeAppKey(call, { projectId, appId: applicationId, keyId }) {
      await deleteApplicationKey(deps, call, { projectId, applicationId, keyId });
      const { details } = await getApplication(deps, call, { projectId, applicationId });
      return { details: toObjectDetails(details) };
    },
  };
  return bind(
    ManagementService,
    checkFirst(ofApplication, async (call: Call, { projectId, appId: applicationId }: Named) => {
      await requireProjectOfOrganization(deps.database.read, call, projectId);
      await getApplication(deps, call, { projectId, applicationId });
    }),
  );
}

const keysOf = ({ projectId, appId: applicationId }: Named): ApplicationKeyFilter[] => [
  { kind: "project", projectId },
  { kind: "application", applicationId },
];

function toMessage(key: ApplicationKey): MessageInitShape<typeof KeySchema> {
  const { keyId: id, sequence, createdAt, organizationId: ownerId, expiresAt } = key;
  const details = toObjectDetails({ sequence, createdAt, changedAt: createdAt, ownerId });
  return { id, details, type: KeyType.JSON, expirationDate: toTimestamp(expiresAt) };
}
