import type { User } from "@doorward/api/service/user/v2/user_pb";

/** Returns what a user is called where there is room for one name. */
export function nameOf(user: User): string {
  const own = user.type.case === "human" ? user.type.value.profile?.displayName : user.type.value?.name;
  return own || user.preferredLoginName || user.username;
}
