import { create, type DescMethodUnary, type MessageShape } from "@bufbuild/protobuf";
import type { OtherCalls, Together } from "../api/index.ts";
import { askFor } from "../base/budget/payer.ts";
import { Fault } from "../base/fault.ts";
import type { Call } from "../call/index.ts";
import { type CallOtherDeps, countRequest, findCalled } from "./call-other.ts";
import { admit, askerOf, checkRequest } from "./invoke.ts";
import { toFault } from "./refusal.ts";
import type { Method } from "./registry.ts";

type Work<Called extends DescMethodUnary> = (
  call: Call,
  requests: readonly MessageShape<Called["input"]>[],
) => Promise<readonly boolean[]>;

/**
 * Performs requests for one method at once, for the data of an organization (`PerformTogether`). The caller is admitted
 * once, narrowed as by `callOther`; each request is counted and checked as there. Every refusal leaves requests to
 * `callOther`, which answers it.
 */
export async function callTogether<Called extends DescMethodUnary>(
  deps: CallOtherDeps,
  call: Call,
  { method, requests, organizationId }: OtherCalls<Called>,
  work: Work<Called>,
): Promise<readonly Together[]> {
  const outcomes = requests.map((): Together => "left");
  try {
    const { called, incoming } = await findCalled(deps, call, { method, as: "organization", organizationId });
    const admitted = await admit(deps, called, incoming);
    const descriptor = await findPlain(deps, called, admitted);
    if (descriptor === undefined) return outcomes;
    const checked: { readonly index: number; readonly message: MessageShape<Called["input"]> }[] = [];
    for (const [index, request] of requests.entries()) {
      await countRequest(deps, admitted);
      outcomes[index] = "counted";
      const message = create(method.input, request) as MessageShape<Called["input"]>;
      if (isValid(() => checkRequest(deps, { method: called, descriptor, call: admitted }, message))) {
        checked.push({ index, message });
      }
    }
    const messages = checked.map(({ message }) => message);
    const done = await askFor(askerOf(admitted), () => work(admitted, messages));
    for (const [position, { index }] of checked.entries()) if (done[position] === true) outcomes[index] = "done";
    return outcomes;
  } catch (error) {
    // What was done in part was rolled back; where that is not known, each request finds out.
    if (toFault(error).code === "internal") throw error;
    return outcomes;
  }
}

/** Returns the descriptor of a method, unless it is one of an earlier form or targets are called around it. */
async function findPlain(deps: CallOtherDeps, called: Method, admitted: Call): Promise<DescMethodUnary | undefined> {
  if (called.adapted !== undefined || (await deps.intercept(admitted, called)) !== undefined) return undefined;
  return (await called.loadImplementation())?.descriptor;
}

function isValid(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
