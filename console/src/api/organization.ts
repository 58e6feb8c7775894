import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { createQueryOptions, useTransport } from "@connectrpc/connect-query";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { organizationHeader } from "./call.ts";

/** Reads by a method of version 1, for an organization that need not be the one of the address. */
export function useQueryOf<Input extends DescMessage, Output extends DescMessage>(
  organizationId: string | undefined,
  method: DescMethodUnary<Input, Output>,
  input: MessageInitShape<Input>,
): UseQueryResult<MessageShape<Output>, ConnectError> {
  const transport = useTransport();
  const headers = organizationId === undefined ? {} : inOrganization(organizationId).headers;
  return useQuery<MessageShape<Output>, ConnectError>(
    createQueryOptions(method, input, { transport, headers }) as never,
  );
}

/** Options of a call that names the organization it is about. */
export const inOrganization = (organizationId: string) => ({ headers: { [organizationHeader]: organizationId } });
