import type { DescService } from "@bufbuild/protobuf";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

/** Returns a function that reads again what pages show of services, for after a change. */
export function useRefresh(): (...services: readonly DescService[]) => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    async (...services) => {
      await Promise.all(
        services.map((schema) =>
          queries.invalidateQueries({ queryKey: createConnectQueryKey({ schema, cardinality: undefined }) }),
        ),
      );
    },
    [queries],
  );
}
