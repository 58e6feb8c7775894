import { create, type DescMethodUnary, type MessageShape } from "@bufbuild/protobuf";
import type { OtherAnswer, OtherCall } from "../api/index.ts";
import { type Call, isOfInstance } from "../call/index.ts";
import { admit, type InvokeDeps, incomingOf, perform } from "./invoke.ts";
import { type RefusalDeps, toRefusal } from "./refusal.ts";
import type { Registry } from "./registry.ts";

export interface CallOtherDeps extends InvokeDeps, RefusalDeps {
  readonly registry: Registry;
}

/**
 * Calls another method for the caller of a method. The caller is admitted for it, so that it does not run after their
 * rights have ended. A proof of a key counts for all calls, as it does while one method runs.
 */
export async function callOther<Called extends DescMethodUnary>(
  deps: CallOtherDeps,
  call: Call,
  { method, request, organizationId }: OtherCall<Called>,
): Promise<OtherAnswer<Called>> {
  const { clock, quotaMeter, registry } = deps;
  const name = `${method.parent.typeName}/${method.name}`;
  const called = registry.get(name);
  const first = incomingOf(call);
  if (called === undefined || first === undefined) throw new Error(`${name} cannot be called by another method`);
  const { credentials } = first;
  const incoming = {
    call: { ...first.call, now: clock() },
    credentials: {
      ...credentials,
      spentAt: credentials.spentAt ?? first.call.now,
      organizationId: organizationId ?? credentials.organizationId,
    },
  };
  try {
    const admitted = { call: await admit(deps, called, incoming), incoming };
    // A request that is admitted once more is not counted by `admit`, and each of these counts.
    if (admitted.call.caller !== undefined && isOfInstance(admitted.call.caller.access)) {
      await quotaMeter.takeRequest(admitted.call);
    }
    const response = await perform(deps, called, admitted, ({ input }) => create(input, request));
    return { response: response as MessageShape<Called["output"]> };
  } catch (error) {
    const { code, id, message } = toRefusal(deps, error, call);
    if (code === "unauthenticated") throw error;
    return { refusal: { id, message, isExisting: code === "already_exists", error } };
  }
}
