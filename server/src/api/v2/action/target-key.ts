import type { MessageInitShape } from "@bufbuild/protobuf";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import {
  PublicKeyFieldName,
  type PublicKeySchema,
  type PublicKeySearchFilter,
} from "@doorward/api/service/action/v2/public_key_pb";
import type { IdGenerator } from "../../../base/id.ts";
import type { Database } from "../../../database/index.ts";
import {
  activateTargetKey,
  addTargetKey,
  deactivateTargetKey,
  listTargetKeys,
  removeTargetKey,
  type TargetKey,
  type TargetKeyFilter,
  type TargetKeySearch,
} from "../../../domain/action/index.ts";
import {
  type Binding,
  bind,
  fromTimestamp,
  refuseFilter,
  toInstantFilter,
  toPage,
  toPagination,
  toTimestamp,
} from "../../contract/index.ts";

/** Methods on the public keys that payloads are encrypted to. */
export const targetKeyMethods = (deps: { readonly database: Database; readonly newId: IdGenerator }): Binding =>
  bind(ActionService, {
    async addPublicKey(call, { targetId, publicKey, expirationDate }) {
      const { keyId, createdAt } = await addTargetKey(deps, call, {
        targetId,
        publicKey: Buffer.from(publicKey).toString("utf8"),
        ...(expirationDate && { expiresAt: fromTimestamp(expirationDate) }),
      });
      return { keyId, creationDate: toTimestamp(createdAt) };
    },
    async activatePublicKey(call, { targetId, keyId }) {
      return { changeDate: toTimestamp(await activateTargetKey(deps, call, { targetId, keyId })) };
    },
    async deactivatePublicKey(call, { targetId, keyId }) {
      return { changeDate: toTimestamp(await deactivateTargetKey(deps, call, { targetId, keyId })) };
    },
    async removePublicKey(call, { targetId, keyId }) {
      return { deletionDate: toTimestamp(await removeTargetKey(deps, call, { targetId, keyId })) };
    },
    async listPublicKeys(call, { targetId, pagination, sortingColumn, filters }) {
      const requested = toPage(pagination);
      const { rows, total } = await listTargetKeys(deps, call, {
        ...requested,
        targetId,
        orderBy: columns[sortingColumn] ?? refuseFilter("sortingColumn"),
        filters: filters.map(toFilter),
      });
      return { pagination: toPagination(total, requested.page), publicKeys: rows.map(toMessage) };
    },
  });

const columns: Readonly<Partial<Record<PublicKeyFieldName, TargetKeySearch["orderBy"]>>> = {
  [PublicKeyFieldName.UNSPECIFIED]: "created_at",
  [PublicKeyFieldName.CREATION_DATE]: "created_at",
  [PublicKeyFieldName.CHANGE_DATE]: "changed_at",
  [PublicKeyFieldName.EXPIRATION_DATE]: "expires_at",
};

function toFilter({ filter }: PublicKeySearchFilter, index: number): TargetKeyFilter {
  switch (filter.case) {
    case "keyIdsFilter":
      return { by: "ids", keyIds: filter.value.ids };
    case "activeFilter":
      return { by: "active", isActive: filter.value };
    case "expirationDateFilter":
      return { by: "expiry", ...toInstantFilter(filter.value) };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}

const toMessage = (key: TargetKey): MessageInitShape<typeof PublicKeySchema> => ({
  keyId: key.keyId,
  active: key.isActive,
  publicKey: Buffer.from(key.publicKey, "utf8"),
  fingerprint: key.fingerprint,
  ...(key.expiresAt !== undefined && { expirationDate: toTimestamp(key.expiresAt) }),
  creationDate: toTimestamp(key.createdAt),
  changeDate: toTimestamp(key.changedAt),
});
