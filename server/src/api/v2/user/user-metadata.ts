import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import type { Database } from "../../../database/index.ts";
import {
  type AuthorizeDeps,
  deleteUserMetadata,
  listUserMetadata,
  setUserMetadata,
} from "../../../domain/user/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toPage,
  toPagination,
  toTextMethod,
  toTimestamp,
} from "../../contract/index.ts";

/** UserService: metadata of users. */
export const userMetadataMethods = (deps: AuthorizeDeps & { readonly database: Database }): Binding =>
  bind(UserService, {
    setUserMetadata: async (call, { userId, metadata }) => {
      const { changedAt } = await setUserMetadata(deps, call, { userId, metadata });
      return { setDate: toTimestamp(changedAt) };
    },
    listUserMetadata: async (call, { userId, pagination, filters }) => {
      const { page, isDescending } = toPage(pagination);
      const keyFilters = filters.map(({ filter }) =>
        filter.case === "keyFilter"
          ? { key: filter.value.key, method: toTextMethod(filter.value.method) }
          : refuseFilter("filters"),
      );
      const { metadata, total } = await listUserMetadata(deps, call, { userId, keyFilters, page, isDescending });
      return {
        pagination: toPagination(total, page),
        metadata: metadata.map(({ key, value, createdAt, changedAt }) => ({
          key,
          value,
          creationDate: toTimestamp(createdAt),
          changeDate: toTimestamp(changedAt),
        })),
      };
    },
    deleteUserMetadata: async (call, { userId, keys }) => {
      await deleteUserMetadata(deps, call, { userId, keys });
      return { deletionDate: toTimestamp(call.now) };
    },
  });
