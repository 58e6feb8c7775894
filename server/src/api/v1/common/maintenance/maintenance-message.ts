import type { FailedEvent, View } from "../../../../domain/maintenance/index.ts";
import { toTimestamp } from "../../../contract/index.ts";

/** Returns a feed or job in the words of the contract; both services have the same fields. */
export const toViewMessage = ({ kind, name, position, eventAt, ranAt }: View) => ({
  database: kind,
  viewName: name,
  processedSequence: BigInt(position),
  ...(eventAt !== undefined && { eventTimestamp: toTimestamp(eventAt) }),
  ...(ranAt !== undefined && { lastSuccessfulSpoolerRun: toTimestamp(ranAt) }),
});

/** Returns a delivery that failed in the words of the contract; both services have the same fields. */
export const toFailedEventMessage = ({ queue, group, number, attempts, failure, failedAt }: FailedEvent) => ({
  database: queue,
  viewName: group,
  failedSequence: BigInt(number),
  failureCount: BigInt(attempts),
  errorMessage: failure,
  lastFailed: toTimestamp(failedAt),
});

/** Reads which delivery a request names. */
export const toFailedEventKey = (request: {
  readonly database: string;
  readonly viewName: string;
  readonly failedSequence: bigint;
}) => ({ queue: request.database, group: request.viewName, number: Number(request.failedSequence) });
