import { useQuery } from "@connectrpc/connect-query";
import type { Event } from "@doorward/api/service/event/v1/event_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { nameOf } from "../../api/user-name.ts";
import { userOf } from "./event-address.ts";

/** Names of users by their ids; users that no longer exist have none. */
export type UserNames = ReadonlyMap<string, string>;

/** The longest list that the server returns at once. */
const longest = 1000;

/** Reads the names of the users that events are about; events record their ids alone. */
export function useUserNames(events: readonly Event[] | undefined): UserNames {
  const ids = (events ?? []).map(userOf).filter((id) => id !== undefined && id !== "");
  const userIds = [...new Set(ids)].sort().slice(0, longest) as string[];
  const found = useQuery(
    UserService.method.listUsers,
    {
      query: { limit: Math.max(1, userIds.length) },
      queries: [{ query: { case: "inUserIdsQuery", value: { userIds } } }],
    },
    { enabled: userIds.length > 0, placeholderData: (former) => former, staleTime: 60_000 },
  );
  return new Map(found.data?.result.map((user) => [user.userId, nameOf(user)]));
}
