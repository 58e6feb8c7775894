import type { DescService } from "@bufbuild/protobuf";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

interface RefreshOptions {
  /** The shown object was deleted: nothing is read again until it is shown the next time. */
  readonly isGone?: boolean;
}

/** Returns a function that, after a change, reads again what pages show of a service. */
export function useRefresh(): (service: DescService, options?: RefreshOptions) => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    (schema, { isGone = false } = {}) =>
      queries.invalidateQueries({
        queryKey: createConnectQueryKey({ schema, cardinality: undefined }),
        ...(isGone && { refetchType: "none" }),
      }),
    [queries],
  );
}
