import type { Route } from "@doorward/api/methods";
import type { WebRequest } from "../../web/index.ts";
import { type InvokeDeps, invoke } from "../invoke.ts";
import type { Implementation, Method } from "../registry.ts";
import { credentialsOf } from "./credentials.ts";
import type { PathTemplate } from "./path-template.ts";
import { readRequest } from "./read-request.ts";
import { writeJson } from "./write-json.ts";

/** A method, reached through one of its routes. */
export interface Reached {
  readonly method: Method;
  readonly template: PathTemplate;
  readonly bodyField: Route["body"];
  /** Value of the organization header. */
  readonly organizationId: string | undefined;
}

export interface Served {
  /** JSON value of the response. */
  readonly json: unknown;
  /** Paths of the request's fields that the contract does not have, where such fields are ignored. */
  readonly ignored: readonly string[];
}

/**
 * Runs a method for a REST request. The first generation of the contract ignores unknown fields, because clients of it
 * send fields of later versions; everywhere else they are refused.
 */
export async function serve(deps: InvokeDeps, reached: Reached, request: WebRequest): Promise<Served> {
  const { method, template, bodyField, organizationId } = reached;
  const ignored: string[] = [];
  const ignore = method.name.includes(".v1.") ? (field: string) => ignored.push(field) : undefined;
  const credentials = credentialsOf(request, organizationId);
  const message = await invoke(deps, method, { call: request.call, credentials }, ({ input }) => {
    const path = new Map(
      [...template.variables].map(([variable, field]) => [field, request.pathVariables[variable] ?? ""]),
    );
    return readRequest(input, { path, query: request.query, body: request.body, bodyField, ignore });
  });
  // A call with a response has an implementation.
  const { descriptor } = (await method.loadImplementation()) as Implementation;
  return { json: writeJson(descriptor.output, message), ignored };
}
