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

/** Runs a method for a REST request; returns the JSON value of its response. */
export async function serve(deps: InvokeDeps, reached: Reached, request: WebRequest): Promise<unknown> {
  const { method, template, bodyField, organizationId } = reached;
  const credentials = credentialsOf(request, organizationId);
  const message = await invoke(deps, method, { call: request.call, credentials }, ({ input }) => {
    const path = new Map(
      [...template.variables].map(([variable, field]) => [field, request.pathVariables[variable] ?? ""]),
    );
    return readRequest(input, { path, query: request.query, body: request.body, bodyField });
  });
  // A call with a response has an implementation.
  const { descriptor } = (await method.loadImplementation()) as Implementation;
  return writeJson(descriptor.output, message);
}
