import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import { listMembersOfInstance } from "../../../../domain/administrator-search/index.ts";
import { type Binding, bind, toListDetailsV1 } from "../../../contract/index.ts";
import { type MemberDeps, toSearch } from "../../common/member/member.ts";
import { toMemberMessage } from "../../common/member/member-message.ts";

/** SystemService: administrators of any instance. */
export const systemMemberMethods = (deps: MemberDeps): Binding =>
  bind(SystemService, {
    async listIAMMembers(call, { instanceId, ...request }) {
      const { rows, total } = await listMembersOfInstance(deps, call, { instanceId, ...toSearch(request) });
      const origin = await deps.originOf(instanceId);
      const result = rows.map((member) => toMemberMessage(member, origin));
      return { details: toListDetailsV1(total, call.now), result };
    },
  });
