import type { Route } from "@doorward/api/methods";
import type { WebRequest, WebResponse } from "../../web/index.ts";
import { type AdmittedCall, admit, perform } from "../invoke.ts";
import type { Implementation, Method } from "../registry.ts";
import { answerCaller, json, jsonHeaders, type RestDeps } from "./answer.ts";
import type { PathTemplate } from "./path-template.ts";
import { readRequest } from "./read-request.ts";
import { writeJson } from "./write-json.ts";

/** A method, reached through one of its routes. */
interface Reached {
  readonly method: Method;
  readonly template: PathTemplate;
  readonly bodyField: Route["body"];
}

/** Answers a REST request by the method of its route. */
export function serve(deps: RestDeps, reached: Reached, request: WebRequest): Promise<WebResponse> {
  const { method } = reached;
  return answerCaller(deps, request, {
    admit: (incoming) => admit(deps, method, incoming),
    read: async () => (await request.lateBody?.text()) ?? "",
    answer: (call, body, incoming) => run(deps, reached, { admitted: { call, incoming }, request, body }),
  });
}

/**
 * Runs the method. The first generation of the contract ignores unknown fields, because clients of it send fields of
 * later versions; everywhere else they are refused.
 */
async function run(
  deps: RestDeps,
  { method, template, bodyField }: Reached,
  { admitted, request, body }: { readonly admitted: AdmittedCall; readonly request: WebRequest; readonly body: string },
): Promise<WebResponse> {
  const ignored: string[] = [];
  const ignore = method.name.includes(".v1.") ? (field: string) => ignored.push(field) : undefined;
  const message = await perform(deps, method, admitted, ({ input }) => {
    const path = new Map(
      [...template.variables].map(([variable, field]) => [field, request.pathVariables[variable] ?? ""]),
    );
    return readRequest(input, { path, query: request.query, body, bodyField, ignore });
  });
  // A call with a response has an implementation.
  const descriptor =
    method.adapted === undefined
      ? ((await method.loadImplementation()) as Implementation).descriptor
      : await method.loadDescriptor();
  const response = json(method.successStatus, writeJson(descriptor.output, message));
  return ignored.length === 0 ? response : { ...response, headers: { ...jsonHeaders, warning: warningOf(ignored) } };
}

// RFC 9111 retired the header's meaning for caches; clients and proxies still show it to people.
function warningOf(ignored: readonly string[]): string {
  const names = ignored.slice(0, 10).join(", ");
  return `299 - "ignored, not in the contract: ${names.replace(/[^\w.,[\] -]/g, "?").slice(0, 500)}"`;
}
