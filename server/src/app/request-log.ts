import type { Budgets } from "../base/budget/budgets.ts";
import type { Observation } from "../http/index.ts";
import type { Log } from "./log.ts";

/** Answers that are steps of a protocol, and no refusals: a nonce to prove with, and a device that waits. */
const steps: ReadonlySet<string> = new Set([
  "use_dpop_nonce",
  "authentication.dpop_nonce_needed",
  "authorization_pending",
  "slow_down",
]);

/**
 * Creates the log of requests: one line for each that was refused, with the reference that its answer shows, and with
 * the access log one for every other as well. A line has ids and words of the program alone: no path or query as it
 * was sent, no header and no body. Lines about refusals have a budget for each source and instance, because a stranger
 * decides how many there are.
 */
export function createRequestLog({
  log,
  budgets,
  isAccessLogOn,
}: {
  readonly log: Pick<Log, "info">;
  readonly budgets: Pick<Budgets, "take">;
  readonly isAccessLogOn: boolean;
}): (observation: Observation) => void {
  const mayLog = ({ instanceId, source, now }: Observation): boolean => {
    if (isAccessLogOn) return true;
    if (budgets.take("refusal_lines_of_source", { instanceId, now, source }) > 0) return false;
    return budgets.take("refusal_lines_of_instance", { instanceId, now, subject: "" }) === 0;
  };
  return (observation) => {
    const isRefused = isRefusal(observation);
    if (isRefused ? !mayLog(observation) : !isAccessLogOn) return;
    log.info(toLine(observation), isRefused ? "request refused" : "request");
  };
}

// A call of gRPC is refused with status 200, in trailers.
const isRefusal = ({ status, noted: { errorId } }: Observation): boolean =>
  (status >= 400 || errorId !== undefined) && !steps.has(errorId ?? "");

function toLine({ requestId, noted, source, instanceId, milliseconds, ...answered }: Observation): object {
  const { errorId, clientId, userId } = noted;
  const { method, route, status } = answered;
  return {
    reference: requestId,
    ...(errorId !== undefined && { errorId }),
    ...(clientId !== undefined && { clientId }),
    ...(userId !== undefined && { userId }),
    source,
    ...(instanceId !== "" && { instanceId }),
    method,
    route,
    status,
    milliseconds: Math.round(milliseconds * 10) / 10,
  };
}
