import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { TimestampFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import type { SignInAttemptSearchFilterSchema } from "@doorward/api/service/sign_in_attempt/v2/sign_in_attempt_pb";
import { SignInAttemptService } from "@doorward/api/service/sign_in_attempt/v2/sign_in_attempt_service_pb";
import { mostCounted } from "../../parts/table.tsx";
import { sinceOf } from "../activity/period.ts";
import { results } from "./words.ts";

/** What attempts are listed; what is undefined does not count. */
export interface AttemptSearch {
  readonly organizationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly reference?: string | undefined;
  /** The name of a result, or `withFailures`. */
  readonly result?: string | undefined;
  /** The name of a period that ends now. */
  readonly period?: string | undefined;
}

type Filter = MessageInitShape<typeof SignInAttemptSearchFilterSchema>["filter"];

const numbers: Readonly<Record<string, number>> = results;
const minute = 60_000;

/** Lists attempts, newest first. */
export function useAttempts(search: AttemptSearch, { page, limit }: { readonly page: number; readonly limit: number }) {
  const { organizationId, userId, clientId, reference, result = "", period = "" } = search;
  const begin = sinceOf(period, Date.now());
  // By the minute, so that the same question is asked once.
  const since = begin === undefined ? undefined : Math.floor(begin / minute) * minute;
  const filters: readonly (NonNullable<Filter> | undefined)[] = [
    organizationId === undefined ? undefined : { case: "organizationIdFilter", value: { id: organizationId } },
    userId === undefined ? undefined : { case: "userIdFilter", value: { id: userId } },
    clientId === undefined ? undefined : { case: "clientIdFilter", value: { clientId } },
    reference === undefined ? undefined : { case: "referenceFilter", value: { reference: reference.slice(0, 200) } },
    result === "withFailures" ? { case: "hasFailedFilter", value: { hasFailed: true } } : undefined,
    numbers[result] === undefined ? undefined : { case: "resultFilter", value: { result: numbers[result] } },
    since === undefined
      ? undefined
      : {
          case: "startDateFilter",
          value: { timestamp: timestampFromMs(since), method: TimestampFilterMethod.AFTER_OR_EQUALS },
        },
  ];
  return useQuery(SignInAttemptService.method.listSignInAttempts, {
    filters: filters.flatMap((filter) => (filter === undefined ? [] : [{ filter }])),
    pagination: { offset: BigInt(page * limit), limit, countUpTo: mostCounted },
  });
}
