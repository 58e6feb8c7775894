export type {
  AdministeredResourceShown,
  Administrator,
  AdministratorFilter,
  AdministratorSearch,
} from "./administrator-search.ts";
export { listAdministrators } from "./list-administrators.ts";
export { listMembers } from "./list-members.ts";
export { listMembersOfInstance } from "./list-members-of-instance.ts";
export { listMembershipsOfUser } from "./list-memberships-of-user.ts";
export type { Member, MemberColumn, MemberFilter, MemberSearch } from "./member-search.ts";
