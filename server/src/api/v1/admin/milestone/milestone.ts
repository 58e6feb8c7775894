import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { MilestoneFieldName, MilestoneType as WireType } from "@doorward/api/service/milestone/v1/milestone_pb";
import type { Database } from "../../../../database/index.ts";
import {
  listMilestones,
  type Milestone,
  type MilestoneSearch,
  type MilestoneType,
} from "../../../../domain/milestone/index.ts";
import { type Binding, bind, refuseFilter, toListDetailsV1, toPageV1, toTimestamp } from "../../../contract/index.ts";

/** AdminService: what the instance has reached. */
export const milestoneMethods = (deps: { readonly database: Database }): Binding =>
  bind(AdminService, {
    async listMilestones(call, { query, queries, sortingColumn }) {
      const { rows, total } = await listMilestones(deps, call, {
        ...toPageV1(query),
        areReached: queries.map(({ query: condition }, index) =>
          condition.case === undefined ? refuseFilter(`queries[${index}]`) : condition.value.reached,
        ),
        orderBy: orders[sortingColumn] ?? "type",
      });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
    },
  });

const orders: Readonly<Partial<Record<MilestoneFieldName, MilestoneSearch["orderBy"]>>> = {
  [MilestoneFieldName.TYPE]: "type",
  [MilestoneFieldName.REACHED_DATE]: "reached_at",
};

const wireTypes: Readonly<Record<MilestoneType, WireType>> = {
  instance_created: WireType.INSTANCE_CREATED,
  authentication_succeeded_on_instance: WireType.AUTHENTICATION_SUCCEEDED_ON_INSTANCE,
  project_created: WireType.PROJECT_CREATED,
  application_created: WireType.APPLICATION_CREATED,
  authentication_succeeded_on_application: WireType.AUTHENTICATION_SUCCEEDED_ON_APPLICATION,
  instance_deleted: WireType.INSTANCE_DELETED,
};

const toMessage = ({ type, reachedAt }: Milestone) => ({
  type: wireTypes[type],
  ...(reachedAt !== undefined && { reachedDate: toTimestamp(reachedAt) }),
});
