import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type Binding, bind } from "../../../contract/index.ts";
import { type MemberDeps, methodsOfLevels } from "../../common/member/member.ts";

/** AdminService: administrators of the instance. */
export function adminMemberMethods(deps: MemberDeps): Binding {
  const { list, roles, add, update, remove } = methodsOfLevels(deps);
  return bind(AdminService, {
    listIAMMemberRoles: async (call) => {
      const { result, ...rest } = roles(call, "instance");
      return { ...rest, roles: result };
    },
    listIAMMembers: (call, request) => list(call, { level: "instance" }, request),
    addIAMMember: (call, request) => add(call, { level: "instance" }, request),
    updateIAMMember: (call, request) => update(call, { level: "instance" }, request),
    removeIAMMember: (call, request) => remove(call, { level: "instance" }, request),
  });
}
