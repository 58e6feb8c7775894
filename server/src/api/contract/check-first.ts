import type { Call } from "../../call/index.ts";

/** Wraps handlers with a check that runs before each of them: a refused request never reaches its handler. */
export function checkFirst<Handlers extends object, Request extends object>(
  handlers: Handlers,
  check: (call: Call, request: Request) => Promise<unknown>,
): Handlers {
  const checked = Object.entries(handlers).map(([name, handler]) => [
    name,
    async (call: Call, request: Request) => {
      await check(call, request);
      return (handler as (call: Call, request: Request) => Promise<unknown>)(call, request);
    },
  ]);
  return Object.fromEntries(checked) as Handlers;
}
