import { useQuery } from "@connectrpc/connect-query";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import { keepPreviousData } from "@tanstack/react-query";

/** Reads the names of the targets with these ids. */
export function useTargetNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const targetIds = [...new Set(ids)].sort();
  const { data } = useQuery(
    ActionService.method.listTargets,
    {
      pagination: { limit: 200 },
      filters: [{ filter: { case: "inTargetIdsFilter", value: { targetIds } } }],
    },
    { enabled: targetIds.length > 0, placeholderData: keepPreviousData },
  );
  return new Map(data?.targets.map(({ id, name }) => [id, name]));
}
