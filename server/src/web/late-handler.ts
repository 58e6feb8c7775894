import { lazy } from "../base/lazy.ts";
import type { WebHandler } from "./exchange.ts";

/** Returns a handler that is loaded with its first request, for what many servers are never asked for. */
export function lateHandler(load: () => Promise<WebHandler>): WebHandler {
  const handler = lazy(load);
  return async (request) => (await handler())(request);
}
