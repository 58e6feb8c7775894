import type { Route } from "@doorward/api/methods";
import type { WebRequest, WebResponse, WebRoute } from "../../web/index.ts";
import { type InvokeDeps, invoke } from "../invoke.ts";
import type { Namespace } from "../namespace.ts";
import { type RefusalDeps, toRefusal } from "../refusal.ts";
import type { Implementation, Method, Registry } from "../registry.ts";
import { statusOf } from "../status.ts";
import { type PathTemplate, parsePathTemplate } from "./path-template.ts";
import { readRequest } from "./read-request.ts";
import { writeJson } from "./write-json.ts";

export interface RestDeps extends InvokeDeps, RefusalDeps {
  readonly namespace: Namespace;
}

/** A route for every `google.api.http` binding of every method. */
export function createRestRoutes(deps: RestDeps, registry: Registry): WebRoute[] {
  const served = [...registry.values()].filter(({ isHealth }) => !isHealth);
  return served.flatMap((method) => method.routes.map((route) => createRoute(deps, method, route)));
}

function createRoute(deps: RestDeps, method: Method, route: Route): WebRoute {
  const template = parsePathTemplate(route.path);
  return {
    methods: [route.verb],
    path: template.path,
    protocol: "rest",
    isOpenToOrigins: true,
    handler: async (request) => {
      try {
        return await serve(deps, method, template, route.body, request);
      } catch (error) {
        return refuse(deps, error, request);
      }
    },
  };
}

async function serve(
  deps: RestDeps,
  method: Method,
  template: PathTemplate,
  bodyField: Route["body"],
  request: WebRequest,
): Promise<WebResponse> {
  const credentials = {
    authorization: request.header("authorization"),
    organizationId: readOrganizationHeader(deps.namespace, request).value,
  };
  const response = await invoke(deps, method, { call: request.call, credentials }, (descriptor) => {
    const path = new Map(
      [...template.variables].map(([variable, field]) => [field, request.pathVariables[variable] ?? ""]),
    );
    return readRequest(descriptor.input, { path, query: request.query, body: request.body, bodyField });
  });
  const { descriptor } = method.implementation as Implementation;
  return json(method.successStatus, writeJson(descriptor.output, response));
}

function readOrganizationHeader(
  namespace: Namespace,
  request: WebRequest,
): { value: string | undefined; word: string } {
  for (const { name, word } of namespace.organizationHeaders) {
    const value = request.header(name);
    if (value !== undefined && value !== "") return { value, word };
  }
  return { value: undefined, word: "service" };
}

/** A refusal in the words of REST: numeric gRPC code, sentence, and one detail with the stable slug. */
function refuse(deps: RestDeps, error: unknown, request: WebRequest): WebResponse {
  const { word } = readOrganizationHeader(deps.namespace, request);
  const refusal = toRefusal(deps, error, request.call);
  const { grpc, http } = statusOf[refusal.code];
  const body = restError({ ...refusal, code: grpc, word });
  // RFC 6750 §3: a bearer challenge belongs to every 401.
  return http === 401
    ? { ...json(http, body), headers: { ...jsonHeaders, "www-authenticate": "Bearer" } }
    : json(http, body);
}

/** Body of a REST error. */
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
