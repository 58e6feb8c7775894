import { GroupService } from "@doorward/api/service/group/v2/group_service_pb";
import type { Database } from "../../../database/index.ts";
import { deleteGroup } from "../../../domain/deletion/index.ts";
import { type Binding, bind, toTimestamp } from "../../contract/index.ts";

/** GroupService: deleting groups. */
export const groupDeletionMethods = (deps: { readonly database: Database }): Binding =>
  bind(GroupService, {
    async deleteGroup(call, { id: groupId }) {
      const { deletedAt } = await deleteGroup(deps, call, { groupId });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
  });
