import type { IncomingMessage, ServerResponse } from "node:http";
import type { DescMessage } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouterOptions,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import type { Instant } from "../base/clock.ts";
import { drainBody } from "../base/drain-body.ts";
import { Fault } from "../base/fault.ts";
import { lazy } from "../base/lazy.ts";
import type { Call } from "../call/index.ts";
import { asksToComeAgain, corsHeaders, isClosed, retryAfterSeconds } from "../web/index.ts";
import { admitAgain, type IncomingCall } from "./admit.ts";
import { challengesOf, nonceHeader, stepUpChallenge } from "./challenges.ts";
import type { ConnectDeps, ConnectExchange } from "./connect-exchange.ts";
import { countAnswer } from "./count-answer.ts";
import { countBody } from "./count-body.ts";
import { errorDetail } from "./error-detail.ts";
import { type AdmittedCall, admit, perform } from "./invoke.ts";
import { jsonOfBody } from "./json-of-body.ts";
import type { Namespace } from "./namespace.ts";
import { type RefusalDeps, toRefusal } from "./refusal.ts";
import type { Method } from "./registry.ts";
import { rewordRefusal } from "./reword-refusal.ts";
import { statusOf } from "./status.ts";
import { refuseUnknownInput } from "./unknown-input.ts";

/**
 * How far a request was processed: refusals of the library on the way are replaced by ours (see `reword-refusal.ts`).
 */
interface Progress {
  readonly call: Call;
  /** Path as it was sent. */
  readonly path: string;
  /** The caller's word for our namespace; errors are named with it. */
  readonly word: string;
  /** Set once the caller is known. */
  admitted?: { readonly incoming: IncomingCall; readonly call: Call; readonly at: Instant };
  /** Cause of the refusal, when the caller could not be authenticated. */
  unauthenticated?: string;
  /** Cause of a refusal, whatever it was. */
  refused?: string;
  /** Whether the caller exceeded its rate limit. */
  isTooOften?: true;
  /** Whether the message could be read. */
  isRead: boolean;
  /** The body as far as it was received. */
  readonly received: Uint8Array[];
}

const progressKey = createContextKey<Progress | undefined>(undefined, { description: "progress" });

function progressOf(context: HandlerContext): Progress {
  const progress = context.values.get(progressKey);
  if (progress === undefined) throw new ConnectError("a request without a call", Code.Internal);
  return progress;
}

/**
 * Answers calls of methods and of reflection. The handlers of a method are built on its first call: building all of
 * them would take seconds.
 */
export interface ConnectService {
  serve(method: Method, exchange: ConnectExchange): Promise<void>;
  serveReflection(exchange: ConnectExchange): Promise<void>;
}

export function createConnectService(deps: ConnectDeps): ConnectService {
  const options: ConnectRouterOptions = {
    writeMaxBytes: 64 * 1024 * 1024,
  };
  const loadReflection = createReflection(deps.namespace.aliases, { ...options, readMaxBytes: mostOfStrangers });
  const built = new Map<string, () => Promise<UniversalHandler>>();
  const handlerOf = (method: Method): Promise<UniversalHandler> => {
    const build = built.get(method.name) ?? lazy(() => buildHandler(deps, method, options));
    built.set(method.name, build);
    return build();
  };
  return {
    serve: (method, exchange) => serve(deps, handlerOf(method), exchange, method),
    serveReflection: (exchange) => serve(deps, loadReflection(), exchange, undefined),
  };
}

// Methods that are open to anonymous callers take no message, or only a name.
const mostOfStrangers = 16 * 1024;

/** Reflection, loaded on first use: hardly any server needs it. */
function createReflection(aliases: readonly string[], options: ConnectRouterOptions): () => Promise<UniversalHandler> {
  return lazy(async () => (await import("./reflection/serve-reflection.ts")).createReflectionHandler(aliases, options));
}

async function buildHandler(
  deps: ConnectDeps,
  method: Method,
  options: ConnectRouterOptions,
): Promise<UniversalHandler> {
  // Before the message is read, so that unauthorized callers cannot make us parse it.
  const requestGate = async (context: HandlerContext): Promise<void> => {
    const progress = progressOf(context);
    const credentials = {
      authorization: context.requestHeader.get("authorization") ?? undefined,
      dpop: context.requestHeader.get("dpop") ?? undefined,
      method: context.requestMethod,
      path: progress.path,
      organizationId: readOrganization(deps.namespace, context.requestHeader),
    };
    try {
      const incoming = { call: progress.call, credentials };
      const call = await admit(deps, method, incoming);
      progress.admitted = { incoming, call, at: deps.clock() };
    } catch (error) {
      throw toConnectError(deps, error, progress);
    }
  };
  // The first generation ignores unknown fields. With them the library ignores unknown names of enums, which would
  // become the default, so that those are looked for here.
  const ignoreUnknownFields = method.name.includes(".v1.");
  const readMaxBytes = method.access.kind === "open" ? mostOfStrangers : deps.bodyLimit;
  const router = createConnectRouter({ ...options, readMaxBytes, jsonOptions: { ignoreUnknownFields }, requestGate });
  const descriptor = await method.loadDescriptor();
  router.rpc(descriptor, async (request, context) => {
    const progress = progressOf(context);
    progress.isRead = true;
    try {
      if (ignoreUnknownFields) refuseUnknownNames(descriptor.input, progress.received, context);
      return await perform(deps, method, await admittedOf(deps, method, progress), () => request);
    } catch (error) {
      throw toConnectError(deps, error, progress);
    }
  });
  const [handler] = router.handlers;
  if (handler === undefined) throw new Error(`no handler for ${method.name}`);
  return handler;
}

// Synchronously where the message came soon.
function admittedOf(deps: ConnectDeps, method: Method, { admitted }: Progress): AdmittedCall | Promise<AdmittedCall> {
  if (admitted === undefined) throw new Error("a message was read before its caller was admitted");
  const { incoming, at } = admitted;
  const again = admitAgain(deps, incoming, at);
  return again === undefined ? admitted : admit(deps, method, again).then((call) => ({ call, incoming }));
}

async function serve(
  deps: ConnectDeps,
  handler: Promise<UniversalHandler>,
  exchange: ConnectExchange,
  method: Method | undefined,
): Promise<void> {
  const { request, call, path, word } = exchange;
  const response = exchange.response as ServerResponse;
  const progress: Progress = { call, path, word, isRead: false, received: [] };
  const values = createContextValues().set(progressKey, progress);
  response.setHeader("x-request-id", call.requestId);
  response.setHeader("cache-control", "no-store");
  // The response contains user-supplied data, which a browser must treat as nothing but data (ASVS 3.4.4).
  response.setHeader("x-content-type-options", "nosniff");
  for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
  const nonce = nonceHeader(deps, call, textOf(request.headers["dpop"]));
  for (const [name, value] of Object.entries(nonce)) response.setHeader(name, value);
  try {
    const universal = universalRequestFromNodeRequest(request, response, undefined, values);
    dropEndlessDeadline(universal.header);
    const counted = count(deps, universal.body, progress);
    const body = method === undefined ? counted : keep(counted, progress.received, deps.bodyLimit);
    const answer = await (await handler)({ ...universal, body });
    // The rest of a large body would be read as the next request.
    if (request.httpVersionMajor === 1 && !(await drainBody(request as IncomingMessage))) {
      response.setHeader("connection", "close");
    }
    if (progress.isTooOften === true) await deps.holdRefusal(call);
    if (progress.unauthenticated !== undefined) {
      response.setHeader("www-authenticate", await challengesOf(deps, call, progress.unauthenticated));
    }
    const stepUp = stepUpChallenge(progress.refused ?? "");
    if (stepUp !== undefined) response.setHeader("www-authenticate", stepUp);
    const isRefused = progress.admitted !== undefined && !progress.isRead;
    const input = isRefused && method !== undefined ? (await method.loadDescriptor()).input : undefined;
    const reworded = isRefused ? await rewordRefusal(deps, answer, { ...progress, input }) : answer;
    await universalResponseToNodeResponse(countParts(deps, reworded, exchange), response);
  } catch (error) {
    // Either the connection is gone and the error cannot be sent, or it is a bug.
    const isGone = response.destroyed || (error instanceof ConnectError && error.code === Code.Aborted);
    if (!isGone) deps.report(error, call.requestId);
    response.destroy();
  }
}

function refuseUnknownNames(input: DescMessage, received: readonly Uint8Array[], context: HandlerContext): void {
  const json = jsonOfBody(context.requestHeader, received);
  if (json !== undefined) refuseUnknownInput(input, json, () => undefined);
}

type Body = UniversalServerRequest["body"];

// A timer holds 31 bits of milliseconds, and a larger value fires at once, so a deadline beyond 24 days is ignored.
const longestTimer = 2 ** 31 - 1;
const timeUnits: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 0.001, n: 0.000_001 };

function dropEndlessDeadline(headers: Headers): void {
  const [, count, unit = ""] = /^(\d+)([HMSmun])$/.exec(headers.get("grpc-timeout") ?? "") ?? [];
  if (Number(count) * (timeUnits[unit] ?? 0) > longestTimer) headers.delete("grpc-timeout");
  if (Number(headers.get("connect-timeout-ms")) > longestTimer) headers.delete("connect-timeout-ms");
}

const isStream = (body: Body): body is AsyncIterable<Uint8Array> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body;

function count(deps: ConnectDeps, body: Body, progress: Progress): Body {
  if (!isStream(body)) return body;
  const tooMany = (): Error => toConnectError(deps, new Fault("resource_exhausted", "request.too_many"), progress);
  return countBody(body, { share: deps.bodyShare, source: progress.call.source ?? "", tooMany });
}

function countParts(
  deps: ConnectDeps,
  answer: UniversalServerResponse,
  { call, response }: ConnectExchange,
): UniversalServerResponse {
  const { body } = answer;
  if (body === undefined || !(Symbol.asyncIterator in body)) return answer;
  const counting = {
    share: deps.answerShare,
    source: call.source ?? "",
    end: () => void response.destroy(),
    isClosed: () => isClosed(response),
    whenClosed: (listener: () => void) => void response.once("close", listener),
  };
  return { ...answer, body: countAnswer(body, counting) };
}

// A refusal names the field, which only the body itself tells. A message is within the limit; what comes after it is
// not kept.
function keep(body: Body, received: Uint8Array[], limit: number): Body {
  if (!isStream(body)) return body;
  return (async function* () {
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      if (length <= limit + envelopeLength) received.push(chunk);
      yield chunk;
    }
  })();
}

// Before a message of gRPC: one byte of flags, four of the length.
const envelopeLength = 5;

function toConnectError(deps: RefusalDeps, error: unknown, progress: Progress): ConnectError {
  const { call, word } = progress;
  const refusal = toRefusal(deps, error, call);
  progress.refused = refusal.id;
  call.note?.({ errorId: refusal.id });
  if (refusal.code === "resource_exhausted") progress.isTooOften = true;
  if (refusal.code === "unauthenticated") progress.unauthenticated = refusal.id;
  const { grpc, http } = statusOf[refusal.code];
  const metadata = asksToComeAgain(http)
    ? { "retry-after": String(refusal.retryAfter ?? retryAfterSeconds) }
    : undefined;
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

const textOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(", ") : value;
