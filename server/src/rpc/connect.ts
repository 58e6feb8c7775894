import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import {
  Code,
  ConnectError,
  type ConnectRouterOptions,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import type { Call } from "../call/index.ts";
import { asksToComeAgain, corsHeaders, retryAfterSeconds } from "../web/index.ts";
import { errorDetail } from "./error-detail.ts";
import { admit, type InvokeDeps, perform } from "./invoke.ts";
import { type Namespace, namespaceWord } from "./namespace.ts";
import { type RefusalDeps, toRefusal } from "./refusal.ts";
import type { Method, Registry } from "./registry.ts";
import { rewordRefusal } from "./reword-refusal.ts";
import { statusOf } from "./status.ts";

export interface ConnectDeps extends InvokeDeps, RefusalDeps {
  readonly namespace: Namespace;
  readonly bodyLimit: number;
}

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

export interface ConnectHandler {
  /** Whether the path has the form of a call. */
  matches(path: string): boolean;
  /** Takes the exchange over; false when there is no such method. */
  handle(
    request: NodeRequest,
    response: NodeResponse,
    arrival: { readonly call: Call; readonly target: { readonly path: string } },
  ): boolean;
}

/** How far a request came: what the library refuses on the way is told in our words (see `reword-refusal.ts`). */
interface Progress {
  readonly call: Call;
  /** The word for our namespace that the caller used; errors are named with it. */
  readonly word: string;
  /** Set once the caller is known. */
  admitted?: Call;
  /** Whether the message could be read. */
  isRead: boolean;
}

const progressKey = createContextKey<Progress | undefined>(undefined, { description: "progress" });

function progressOf(context: HandlerContext): Progress {
  const progress = context.values.get(progressKey);
  if (progress === undefined) throw new ConnectError("a request without a call", Code.Internal);
  return progress;
}

/**
 * Serves every method as Connect, gRPC and gRPC-Web over HTTP/1.1 and HTTP/2. A method's handlers are built when it is first called:
 * building all of them would be most of the start.
 */
export function createConnectHandler(deps: ConnectDeps, registry: Registry): ConnectHandler {
  const options: ConnectRouterOptions = { readMaxBytes: deps.bodyLimit, writeMaxBytes: 64 * 1024 * 1024 };
  const built = new Map<string, Promise<UniversalHandler>>();
  const loadReflection = createReflection(deps.namespace.aliases, options);
  const handlerOf = (name: string): Promise<UniversalHandler> | undefined => {
    const existing = built.get(name);
    const method = registry.get(name);
    if (existing !== undefined || method === undefined) return existing;
    const handler = buildHandler(deps, method, options);
    built.set(name, handler);
    return handler;
  };
  return {
    matches: (path) => reflectionPath.test(path) || deps.namespace.methodOf(path) !== undefined,
    handle: (request, response, { call, target: { path } }) => {
      const found = deps.namespace.methodOf(path);
      const handler = reflectionPath.test(path) ? loadReflection() : found && handlerOf(found.name);
      if (handler === undefined) return false;
      void serve(deps, handler, { request, response, call, word: found?.word ?? namespaceWord });
      return true;
    },
  };
}

/** Reflection, loaded when it is first asked for: hardly any server ever is. */
function createReflection(aliases: readonly string[], options: ConnectRouterOptions): () => Promise<UniversalHandler> {
  let loaded: Promise<UniversalHandler> | undefined;
  const load = async (): Promise<UniversalHandler> =>
    (await import("./reflection/serve-reflection.ts")).createReflectionHandler(aliases, options);
  return () => (loaded ??= load());
}

const reflectionPath = /^\/grpc\.reflection\.(?:v1|v1alpha)\.ServerReflection\/ServerReflectionInfo$/;

async function buildHandler(
  deps: ConnectDeps,
  method: Method,
  options: ConnectRouterOptions,
): Promise<UniversalHandler> {
  // Before the message is read, so that nobody makes us read what he may not send.
  const requestGate = async (context: HandlerContext): Promise<void> => {
    const progress = progressOf(context);
    const credentials = {
      authorization: context.requestHeader.get("authorization") ?? undefined,
      organizationId: readOrganization(deps.namespace, context.requestHeader),
    };
    try {
      progress.admitted = await admit(deps, method, { call: progress.call, credentials });
    } catch (error) {
      throw toConnectError(deps, error, progress);
    }
  };
  const router = createConnectRouter({ ...options, requestGate });
  router.rpc(await method.loadDescriptor(), async (request, context) => {
    const progress = progressOf(context);
    progress.isRead = true;
    try {
      return await perform(method, progress.admitted ?? progress.call, () => request);
    } catch (error) {
      throw toConnectError(deps, error, progress);
    }
  });
  const [handler] = router.handlers;
  if (handler === undefined) throw new Error(`no handler for ${method.name}`);
  return handler;
}

async function serve(
  deps: ConnectDeps,
  handler: Promise<UniversalHandler>,
  exchange: Pick<Progress, "call" | "word"> & { readonly request: NodeRequest; readonly response: NodeResponse },
): Promise<void> {
  const { request, call, word } = exchange;
  const response = exchange.response as ServerResponse;
  const progress: Progress = { call, word, isRead: false };
  const values = createContextValues().set(progressKey, progress);
  response.setHeader("x-request-id", call.requestId);
  response.setHeader("cache-control", "no-store");
  for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
  try {
    const universal = universalRequestFromNodeRequest(request, response, undefined, values);
    const answer = await (await handler)(universal);
    // What is still on its way would be read as the next request.
    if (request.httpVersionMajor === 1 && !request.complete) response.setHeader("connection", "close");
    const isRefused = progress.admitted !== undefined && !progress.isRead;
    await universalResponseToNodeResponse(isRefused ? await rewordRefusal(deps, answer, progress) : answer, response);
  } catch (error) {
    // The connection went away and there is nobody to answer; anything else is our mistake.
    const isGone = response.destroyed || (error instanceof ConnectError && error.code === Code.Aborted);
    if (!isGone) deps.report(error, call.requestId);
    response.destroy();
  }
}

function toConnectError(deps: RefusalDeps, error: unknown, { call, word }: Progress): ConnectError {
  const refusal = toRefusal(deps, error, call);
  const { grpc, http } = statusOf[refusal.code];
  const metadata = asksToComeAgain(http) ? { "retry-after": String(retryAfterSeconds) } : undefined;
  const failure = new ConnectError(refusal.message, grpc as Code, metadata);
  failure.details.push(errorDetail(refusal, word));
  return failure;
}

function readOrganization(namespace: Namespace, headers: Headers): string | undefined {
  for (const { name } of namespace.organizationHeaders) {
    const value = headers.get(name);
    if (value !== null && value !== "") return value;
  }
  return undefined;
}
