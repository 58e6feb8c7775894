export { holdGroup, holdGroupsOfOrganization } from "./group.store.ts";
export { type Group, groupAbsence } from "./group.ts";
export { listGroupNamesOfUser } from "./group-user.store.ts";
export { listGroupUsers } from "./list-groups.ts";
export { removeGroup } from "./remove-group.ts";
export { removeUserFromGroups } from "./remove-users-from-group.ts";
