import { lazy } from "../base/lazy.ts";
import type { Call } from "../call/index.ts";
import type { ConnectDeps, ConnectExchange, NodeRequest, NodeResponse } from "./connect-exchange.ts";
import type { ConnectService } from "./connect-service.ts";
import { callInWord, namespaceWord } from "./namespace.ts";
import { answersWhenBlocked, type Registry } from "./registry.ts";

export interface ConnectHandler {
  /** Whether the path has the form of a call. */
  matches(path: string): boolean;
  /** Whether the path is answered without credentials, so that only its source is counted. */
  isOpenToStrangers(path: string): boolean;
  /** Whether the path is answered in an instance that the operator blocked. */
  answersWhenBlocked(path: string): boolean;
  /** Takes over the exchange; returns false when there is no such method. */
  handle(
    request: NodeRequest,
    response: NodeResponse,
    incoming: { readonly call: Call; readonly target: { readonly path: string } },
  ): boolean;
}

/**
 * Serves every method as Connect, gRPC and gRPC-Web over HTTP/1.1 and HTTP/2. The library and all messages are loaded
 * with the first call: most servers use only OAuth and REST.
 */
export function createConnectHandler(deps: ConnectDeps, registry: Registry): ConnectHandler {
  const loadService = lazy(async () => (await import("./connect-service.ts")).createConnectService(deps));
  const serve = (exchange: ConnectExchange, work: (service: ConnectService) => Promise<void>): true => {
    void loadService()
      .then(work)
      .catch((error: unknown) => {
        deps.report(error, exchange.call.requestId);
        exchange.response.destroy();
      });
    return true;
  };
  return {
    matches: (path) => reflectionPath.test(path) || deps.namespace.methodOf(path) !== undefined,
    isOpenToStrangers: (path) => reflectionPath.test(path),
    answersWhenBlocked: (path) => {
      const method = registry.get(deps.namespace.methodOf(path)?.name ?? "");
      return method !== undefined && answersWhenBlocked(method);
    },
    handle: (request, response, { call, target: { path } }) => {
      const found = deps.namespace.methodOf(path);
      const word = found?.word ?? namespaceWord;
      const exchange = { request, response, call: callInWord(call, word), path, word };
      if (reflectionPath.test(path)) return serve(exchange, (service) => service.serveReflection(exchange));
      const method = found && (registry.get(found.name) ?? registry.get(found.ownName));
      return method !== undefined && serve(exchange, (service) => service.serve(method, exchange));
    },
  };
}

const reflectionPath = /^\/grpc\.reflection\.(?:v1|v1alpha)\.ServerReflection\/ServerReflectionInfo$/;
