import type { Call, Caller, Presented } from "../call/index.ts";
import type { BulkAction } from "../domain/bulk-job/index.ts";
import type { CallOtherDeps } from "./call-other.ts";
import { type Refusal, toRefusal } from "./refusal.ts";
import type { Registry } from "./registry.ts";

/** One row of a job, to be done as its creator. */
interface RowCall {
  /** Without a caller. Its companion settles the row, or makes it a trial. */
  readonly call: Call;
  readonly action: BulkAction;
  readonly userId: string;
  /** Returns the creator, with their rights of this moment; throws when the job may not go on. */
  readonly identify: (call: Call) => Promise<Presented<Caller>>;
  /** Whether something that was thrown is no refusal of the method. */
  readonly isOwn: (error: unknown) => boolean;
}

/**
 * Does one row of a job, by the methods of the contract that do the same with a single user. They pass the chain that
 * every request passes: rights, quotas, permission, rules of fields, targets. A trial calls no target.
 */
export type PerformRow = (row: RowCall) => Promise<Refusal | undefined>;

/** Creates what does the rows of jobs. */
export const createPerformRow =
  (deps: () => Omit<CallOtherDeps, "registry">, registry: Registry): PerformRow =>
  async ({ call, action, userId, identify, isOwn }) => {
    // Loaded with the first job, as all messages are.
    const { create } = await import("@bufbuild/protobuf");
    const { admit, perform } = await import("./invoke.ts");
    const { performJobRow } = await import("../api/index.ts");
    const chain = { ...deps(), ...(call.companion?.isTrial === true && { intercept: () => undefined }) };
    const incoming = { call, credentials: noCredentials, identify };
    try {
      await performJobRow(
        async (method, request) => {
          const name = `${method.parent.typeName}/${method.name}`;
          const called = registry.get(name);
          if (called === undefined) throw new Error(`${name} is not in the contract`);
          const admitted = { call: await admit(chain, called, incoming), incoming };
          return (await perform(chain, called, admitted, ({ input }) => create(input, request))) as never;
        },
        action,
        userId,
      );
      return undefined;
    } catch (error) {
      if (isOwn(error)) throw error;
      return toRefusal(chain, error, call);
    }
  };

const noCredentials = {
  authorization: undefined,
  dpop: undefined,
  method: "",
  path: "",
  organizationId: undefined,
} as const;
