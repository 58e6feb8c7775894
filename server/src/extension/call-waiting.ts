import { Fault } from "../base/fault.ts";
import type { Call } from "../call/index.ts";
import type { CallableTarget } from "../domain/action/index.ts";
import { type ByteShare, createShare } from "../web/index.ts";
import { type CallTargetDeps, callTarget } from "./call-target.ts";
import { TargetFailure } from "./target-failure.ts";

export interface WaitDeps {
  /** The memory held by calls that wait for targets. */
  readonly waiting: ByteShare;
}

const mebi = 1024 * 1024;

/**
 * Creates the count of what waits for targets in a process. Targets answer as slowly as their instance likes, and what
 * a call keeps meanwhile is several times as long as its payload.
 */
export const createWaitShare = (ofOrganization = 8 * mebi): ByteShare =>
  createShare({
    ofSource: ofOrganization,
    ofBlock: 2 * ofOrganization,
    ofAll: 8 * ofOrganization,
    nameOfBlock: (organization) => organization.slice(0, organization.indexOf("\n")),
    // Request, socket and timers.
    atLeast: 16 * 1024,
  });

/**
 * Calls a target for a request that waits for it. Throws a Fault when too much waits for targets of the organization or
 * instance, when others need the room more, and, if the request is abandonable, when its caller is gone.
 */
export async function callWaiting(
  deps: CallTargetDeps & WaitDeps,
  call: Call,
  target: CallableTarget,
  {
    payload,
    until,
    isAbandonable,
  }: { readonly payload: object; readonly until: number; readonly isAbandonable: boolean },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const left = Math.ceil(until - performance.now());
  if (left <= 0) throw new TargetFailure("timeout");
  const dropped = new AbortController();
  const { instanceId, caller, organizationId = "" } = call;
  const counted = deps.waiting.begin(`${instanceId}\n${caller?.organizationId ?? organizationId}`, () =>
    dropped.abort(),
  );
  const gone = isAbandonable ? call.gone?.() : undefined;
  const bounded = { ...target, timeout: Math.min(target.timeout, left) };
  try {
    return await callTarget(deps, call, bounded, payload, {
      signal: gone === undefined ? dropped.signal : AbortSignal.any([dropped.signal, gone]),
      keep: (bytes) => {
        if (!counted.take(bytes)) throw tooMany();
      },
    });
  } catch (error) {
    if (dropped.signal.aborted) throw tooMany();
    // Not sent to anyone: it only ends the request before the operation.
    if (gone?.aborted === true) throw new Fault("failed_precondition", "execution.failed");
    throw error;
  } finally {
    counted.end();
  }
}

const tooMany = (): Fault => new Fault("resource_exhausted", "request.too_many");
