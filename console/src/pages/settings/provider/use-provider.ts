import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useOrganizationId } from "../../../shell/access.ts";
import { useProviderAccess } from "./provider-access.ts";

/** Names what was read of providers, for the level that the console is about. */
export const useProviderKey = (...of: readonly string[]): readonly string[] => [
  "providers",
  useOrganizationId() ?? "",
  ...of,
];

/** Reads a provider, and whether the login offers it; the latter is undefined for users who may not see that. */
export function useProvider(id: string) {
  const access = useProviderAccess();
  const provider = useQuery({
    queryKey: useProviderKey("one", id),
    // Nothing at all is no answer for a query.
    queryFn: async () => (await access.read(id)) ?? null,
  });
  const offered = useQuery({ queryKey: useProviderKey("offered", id), queryFn: () => access.isOffered(id) });
  return { provider, isOffered: offered.data };
}

/** Returns a function that reads providers again, after a change; only when they are shown next if one is gone. */
export function useRefreshProviders(): (isGone?: boolean) => Promise<void> {
  const queries = useQueryClient();
  return (isGone = false) =>
    queries.invalidateQueries({ queryKey: ["providers"], ...(isGone && { refetchType: "none" }) });
}
