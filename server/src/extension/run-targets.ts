import { seconds } from "../base/clock.ts";
import { Fault, type FaultCode } from "../base/fault.ts";
import type { Call } from "../call/index.ts";
import { type CallableTarget, queuePayload, type RunnableExecution } from "../domain/action/index.ts";
import type { QuotaMeter } from "../domain/quota/index.ts";
import type { CallTargetDeps } from "./call-target.ts";
import { callWaiting, type WaitDeps } from "./call-waiting.ts";
import { type Refusal, TargetFailure } from "./target-failure.ts";

export interface RunDeps extends CallTargetDeps, WaitDeps {
  /** Called for every failed call, with its details. */
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
  /** Counts the time that requests wait for targets. */
  readonly quotaMeter: Pick<QuotaMeter, "checkRunTime" | "addRunTime">;
  /** Called when something was queued. */
  readonly queued: () => void;
}

type Answer = Readonly<Record<string, unknown>>;

// The maximum for one target, so that all of them together hold a request no longer than that.
const longestWait = seconds(270);

/**
 * Calls the targets of an execution one after the other. `payloadOf` returns the payload for a target; `take` receives
 * its answer to a `call`, and throws TargetFailure when it is invalid. The failure of an interrupting target
 * ends the request with a Fault; other failures are skipped. Payloads for `async` targets are queued.
 */
export async function runTargets(
  deps: RunDeps,
  call: Call,
  execution: RunnableExecution,
  step: {
    readonly payloadOf: (target: CallableTarget) => object;
    readonly take: (answer: Answer, target: CallableTarget) => void;
    /** Whether nothing was decided yet, so that the request ends when its caller is gone. */
    readonly isAbandonable?: boolean;
  },
): Promise<void> {
  const until = performance.now() + longestWait;
  for (const target of execution.targets) {
    if (target.kind === "async") {
      const { executionId: subject } = execution;
      const { targetId } = target;
      const isQueued = await queuePayload(deps, call, { targetId, subject, payload: step.payloadOf(target) });
      if (isQueued) deps.queued();
      else warnOfFullQueue(deps, call, { executionId: subject, targetId });
      continue;
    }
    try {
      const waiting = { until, isAbandonable: step.isAbandonable === true };
      const payload = step.payloadOf(target);
      const answer = await metered(deps, call, () => callWaiting(deps, call, target, { payload, ...waiting }));
      if (answer !== undefined) step.take(answer, target);
    } catch (error) {
      if (!(error instanceof TargetFailure)) throw error;
      handle(deps, call, { execution, target, error });
    }
  }
}

/** Runs an action unless the run time of the instance is used up, and counts how long it ran, however it ended. */
async function metered<Result>(
  { quotaMeter }: Pick<RunDeps, "quotaMeter">,
  call: Call,
  run: () => Promise<Result>,
): Promise<Result> {
  await quotaMeter.checkRunTime(call);
  const begun = performance.now();
  try {
    return await run();
  } finally {
    await quotaMeter.addRunTime(call, performance.now() - begun);
  }
}

function warnOfFullQueue(
  { warn }: RunDeps,
  { instanceId, requestId }: Call,
  about: { readonly executionId: string; readonly targetId: string },
): void {
  warn("a call was not queued, because too many calls are waiting for its target", { instanceId, requestId, ...about });
}

function handle(
  { warn }: RunDeps,
  { instanceId, requestId }: Call,
  failed: { readonly execution: RunnableExecution; readonly target: CallableTarget; readonly error: TargetFailure },
): void {
  const { execution, target, error } = failed;
  const { failure, refusal, detail } = error;
  const { targetId, isInterrupting } = target;
  // A refusal that is passed on is a regular answer, not a failure of the target.
  if (!(isInterrupting && refusal)) {
    const { executionId } = execution;
    const about = { instanceId, requestId, executionId, targetId, failure, detail, isInterrupting };
    warn("a call to a target failed", about);
  }
  if (!isInterrupting) return;
  throw refusal === undefined
    ? new Fault("failed_precondition", "execution.failed", { cause: error })
    : toFault(refusal);
}

const codes: Readonly<Record<number, FaultCode>> = {
  400: "invalid_argument",
  401: "unauthenticated",
  403: "permission_denied",
  404: "not_found",
  409: "already_exists",
  429: "resource_exhausted",
};

function toFault({ status, message }: Refusal): Fault {
  const code = codes[status] ?? "failed_precondition";
  return message === ""
    ? new Fault(code, "execution.refused")
    : new Fault(code, "execution.refused_because", { values: { message } });
}
