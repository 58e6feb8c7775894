import {
  type AsyncHook,
  AsyncLocalStorage,
  AsyncResource,
  createHook,
  executionAsyncId,
  type HookCallbacks,
} from "node:async_hooks";
import process from "node:process";

/**
 * Loads `node:test` so that it finds the running test by `AsyncLocalStorage` instead of an async hook. With its hook,
 * every promise of the product under test is tracked, which takes a fifth of the processor time of a test process.
 * `node:test` reads these three names when it is loaded, so it must not have been loaded before.
 *
 * Should a later version of Node.js ask for its hook in another way, it gets a real one, and only the time is lost.
 */
export async function loadTestModule(): Promise<typeof import("node:test")> {
  const builtin: Replaceable = process.getBuiltinModule("node:async_hooks");
  const original = { createHook, executionAsyncId, AsyncResource };
  const current = new AsyncLocalStorage<number>();
  let announce: HookCallbacks["init"];

  class TrackedResource extends AsyncResource {
    constructor(...parameters: ConstructorParameters<typeof AsyncResource>) {
      super(...parameters);
      announce?.(this.asyncId(), parameters[0], this.triggerAsyncId(), this);
    }

    override runInAsyncScope<This, Result>(
      work: (this: This, ...values: unknown[]) => Result,
      that?: This,
      ...values: unknown[]
    ): Result {
      return super.runInAsyncScope(() => current.run(this.asyncId(), () => work.apply(that as This, values)));
    }
  }

  builtin.AsyncResource = TrackedResource as typeof AsyncResource;
  builtin.executionAsyncId = () => current.getStore() ?? executionAsyncId();
  builtin.createHook = (callbacks) => {
    if (callbacks.init === undefined || announce !== undefined) return createHook(callbacks);
    announce = callbacks.init;
    return neverEnabled;
  };
  try {
    return (await import("node:test")).default;
  } finally {
    Object.assign(builtin, original);
  }
}

type Replaceable = {
  -readonly [Name in keyof typeof import("node:async_hooks")]: typeof import("node:async_hooks")[Name];
};

const neverEnabled: AsyncHook = { enable: () => neverEnabled, disable: () => neverEnabled };
