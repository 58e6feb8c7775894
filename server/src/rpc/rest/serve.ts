import type { Route } from "@doorward/api/methods";
import type { WebRequest } from "../../web/index.ts";
import { type InvokeDeps, invoke } from "../invoke.ts";
import type { Implementation, Method } from "../registry.ts";
import { credentialsOf } from "./credentials.ts";
import type { PathTemplate } from "./path-template.ts";
import { readRequest } from "./read-request.ts";
import { writeJson } from "./write-json.ts";

/** A method as one of its routes reached it. */
export interface Reached {
  readonly method: Method;
  readonly template: PathTemplate;
  readonly bodyField: Route["body"];
  /** What the organization header said. */
  readonly organizationId: string | undefined;
}

/** Runs a method for a REST request; the JSON value of its answer. */
export async function serve(deps: InvokeDeps, reached: Reached, request: WebRequest): Promise<unknown> {
  const { method, template, bodyField, organizationId } = reached;
  const credentials = credentialsOf(request, organizationId);
  const message = await invoke(deps, method, { call: request.call, credentials }, ({ input }) => {
    const path = new Map(
      [...template.variables].map(([variable, field]) => [field, request.pathVariables[variable] ?? ""]),
    );
    return readRequest(input, { path, query: request.query, body: request.body, bodyField });
  });
  // Whoever got an answer called a method that is built.
  const { descriptor } = (await method.loadImplementation()) as Implementation;
  return writeJson(descriptor.output, message);
}
