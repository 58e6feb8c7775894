import type { Route } from "@doorward/api/methods";
import { lazy } from "../../base/lazy.ts";
import type { WebRequest, WebResponse, WebRoute } from "../../web/index.ts";
import { type ChallengeDeps, challengesOf, nonceHeader, stepUpChallenge } from "../challenges.ts";
import type { InvokeDeps } from "../invoke.ts";
import type { Namespace } from "../namespace.ts";
import { type RefusalDeps, toRefusal } from "../refusal.ts";
import type { Method, Registry } from "../registry.ts";
import { statusOf } from "../status.ts";
import { parsePathTemplate } from "./path-template.ts";

export interface RestDeps extends InvokeDeps, RefusalDeps, ChallengeDeps {
  readonly namespace: Namespace;
}

/** Creates a route for every `google.api.http` binding of every method. */
export function createRestRoutes(deps: RestDeps, registry: Registry): WebRoute[] {
  const served = [...registry.values()].filter(({ isHealth }) => !isHealth);
  const loadServe = lazy(() => import("./serve.ts"));
  return served.flatMap((method) => method.routes.map((route) => createRoute(deps, { method, route, loadServe })));
}

interface Served {
  readonly method: Method;
  readonly route: Route;
  /** Code that depends on messages is loaded with the first call. */
  readonly loadServe: () => Promise<typeof import("./serve.ts")>;
}

function createRoute(deps: RestDeps, { method, route, loadServe }: Served): WebRoute {
  const template = parsePathTemplate(route.path);
  const answer = async (request: WebRequest): Promise<WebResponse> => {
    const { serve } = await loadServe();
    const organizationId = readOrganizationHeader(deps.namespace, request).value;
    const reached = { method, template, bodyField: route.body, organizationId };
    const { json: answered, ignored } = await serve(deps, reached, request);
    const response = json(method.successStatus, answered);
    return ignored.length === 0 ? response : { ...response, headers: { ...jsonHeaders, warning: warningOf(ignored) } };
  };
  return {
    methods: [route.verb],
    path: template.path,
    protocol: "rest",
    isOpenToOrigins: true,
    handler: async (request) => {
      const answered = await answer(request).catch((error: unknown) => refuse(deps, error, request));
      const nonce = nonceHeader(deps, request.call, request.header("dpop"));
      return { ...answered, headers: { ...answered.headers, ...nonce } };
    },
  };
}

// RFC 9111 retired the header's meaning for caches; clients and proxies still show it to people.
function warningOf(ignored: readonly string[]): string {
  const names = ignored.slice(0, 10).join(", ");
  return `299 - "ignored, not in the contract: ${names.replace(/[^\w.,[\] -]/g, "?").slice(0, 500)}"`;
}

/** Returns the value of the organization header, and the word in its name. */
export function readOrganizationHeader(
  namespace: Namespace,
  request: WebRequest,
): { value: string | undefined; word: string } {
  for (const { name, word } of namespace.organizationHeaders) {
    const value = request.header(name);
    if (value !== undefined && value !== "") return { value, word };
  }
  return { value: undefined, word: "service" };
}

/** Formats a refusal for REST: numeric gRPC code, sentence, and one detail with the stable slug. */
export async function refuse(deps: RestDeps, error: unknown, request: WebRequest): Promise<WebResponse> {
  const { word } = readOrganizationHeader(deps.namespace, request);
  const refusal = toRefusal(deps, error, request.call);
  const { grpc, http } = statusOf[refusal.code];
  const body = restError({ ...refusal, code: grpc, word });
  if (refusal.retryAfter !== undefined) {
    return { ...json(http, body), headers: { ...jsonHeaders, "retry-after": String(refusal.retryAfter) } };
  }
  const stepUp = stepUpChallenge(refusal.id);
  if (stepUp !== undefined) return { ...json(http, body), headers: { ...jsonHeaders, "www-authenticate": stepUp } };
  if (http !== 401) return json(http, body);
  const challenges = await challengesOf(deps, request.call, refusal.id);
  return { ...json(http, body), headers: { ...jsonHeaders, "www-authenticate": challenges } };
}

/** Returns the body of a REST error. */
export function restError(error: {
  readonly code: number;
  readonly message: string;
  readonly id: string;
  readonly word: string;
  readonly failedAttempts?: number | undefined;
}): object {
  const { code, message, id, word, failedAttempts } = error;
  const type = `type.googleapis.com/${word}.v1`;
  const detail =
    failedAttempts === undefined
      ? { "@type": `${type}.ErrorDetail`, id, message }
      : { "@type": `${type}.CredentialsCheckError`, id, message, failedAttempts };
  return { code, message, details: [detail] };
}

const jsonHeaders = {
  "content-type": "application/json",
  "cache-control": "no-store",
  pragma: "no-cache",
  "x-robots-tag": "none",
  "x-content-type-options": "nosniff",
} as const;

function json(status: number, body: unknown): WebResponse {
  return { status, headers: jsonHeaders, body: JSON.stringify(body) };
}
