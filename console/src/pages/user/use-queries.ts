import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SearchQuerySchema } from "@doorward/api/service/user/v2/query_pb";
import { Type, type UserState } from "@doorward/api/service/user/v2/user_pb";
import { useAddress } from "../../address.ts";
import { useOrganizationId } from "../../shell/access.ts";
import { textQuery } from "./text-query.ts";

export type UserQueries = MessageInitShape<typeof SearchQuerySchema>[];

/** The conditions of the list that the address is about. */
export function useQueries(): UserQueries {
  const { search } = useAddress();
  const { text = "", kind = "", state = "" } = search;
  const organizationId = useOrganizationId();
  return [
    ...(text === "" ? [] : [textQuery(text)]),
    ...(kind === "" ? [] : [{ query: { case: "typeQuery", value: { type: kindOf(kind) } } } as const]),
    ...(state === ""
      ? []
      : [
          state === "blocked"
            ? ({ query: { case: "blockedQuery", value: {} } } as const)
            : ({ query: { case: "stateQuery", value: { state: Number(state) as UserState } } } as const),
        ]),
    ...(organizationId === undefined
      ? []
      : [{ query: { case: "organizationIdQuery", value: { organizationId } } } as const]),
  ];
}

const kindOf = (kind: string): Type => (kind === "service" ? Type.MACHINE : Type.HUMAN);
