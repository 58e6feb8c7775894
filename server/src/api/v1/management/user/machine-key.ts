import { KeyType } from "@doorward/api/service/authn/v1/authn_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { Fault } from "../../../../base/fault.ts";
import { type Call, requireOrganization } from "../../../../call/index.ts";
import {
  addUserKey,
  type CredentialFilter,
  type ListedCredential,
  listUserKeys,
  removeUserKey,
} from "../../../../domain/credential/index.ts";
import { requireUserOfOrganization } from "../../../../domain/user/index.ts";
import { getUser } from "../../../../domain/user-search/index.ts";
import {
  type Binding,
  bind,
  fromTimestamp,
  toListDetailsV1,
  toObjectDetails,
  toPageV1,
  toTimestamp,
} from "../../../contract/index.ts";
import type { UserDeps } from "../../../v2/user/user.ts";

/** ManagementService: keys of service accounts, by the operations of the second generation. */
export const machineKeyMethods = (deps: UserDeps): Binding =>
  bind(ManagementService, {
    async listMachineKeys(call, { userId, query }) {
      const order = { ...toPageV1(query), by: "createdAt" } as const;
      const { rows, total } = await listUserKeys(deps, call, { ...order, filters: ofUser(call, userId) });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
    },
    async getMachineKeyByIDs(call, { userId, keyId }) {
      const filters = [...ofUser(call, userId), { by: "id", value: keyId } as const];
      const page = { offset: 0, limit: 1 };
      const { rows } = await listUserKeys(deps, call, { filters, page, isDescending: false, by: "id" });
      if (rows[0] === undefined) throw new Fault("not_found", "user.key_not_found", { field: "keyId" });
      return { key: toMessage(rows[0]) };
    },
    async addMachineKey(call, { userId, expirationDate, publicKey }) {
      await requireUserOfOrganization(deps.database.read, call, userId);
      const added = await addUserKey(deps, call, {
        userId,
        expiresAt: expirationDate && fromTimestamp(expirationDate),
        publicKey: publicKey.length === 0 ? undefined : Buffer.from(publicKey).toString("utf8"),
      });
      const keyDetails = Buffer.from(added.keyFile?.reveal() ?? "");
      const { details } = await getUser(deps, call, { userId });
      return { keyId: added.keyId, keyDetails, details: toObjectDetails(details) };
    },
    async removeMachineKey(call, { userId, keyId }) {
      await requireUserOfOrganization(deps.database.read, call, userId);
      await removeUserKey(deps, call, { userId, keyId });
      return { details: toObjectDetails((await getUser(deps, call, { userId })).details) };
    },
  });

const ofUser = (call: Call, userId: string): CredentialFilter[] => [
  { by: "userId", value: userId },
  { by: "organizationId", value: requireOrganization(call) },
];

const toMessage = ({ id, organizationId, expiresAt, ...key }: ListedCredential) => ({
  id,
  details: toObjectDetails({ ...key, ownerId: organizationId }),
  type: KeyType.JSON,
  expirationDate: toTimestamp(expiresAt),
});
