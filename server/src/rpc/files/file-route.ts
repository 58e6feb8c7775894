import type { WebRequest, WebRoute } from "../../web/index.ts";
import type { MethodArrival } from "../admit.ts";
import { nonceHeader } from "../challenges.ts";
import { type RestDeps, readOrganizationHeader, refuse } from "../rest/answer.ts";
import { credentialsOf } from "../rest/credentials.ts";

/** Largest size of a form around its file, in bytes. */
export const formAround = 16 * 1024;

/** Returns the request for a file, before authentication. */
export const arrivalOf = (deps: RestDeps, request: WebRequest): MethodArrival => ({
  call: request.call,
  credentials: credentialsOf(request, readOrganizationHeader(deps.namespace, request).value),
});

/** Creates a route with the refusals of REST. */
export const route = (deps: RestDeps, { handler, ...rest }: Omit<WebRoute, "protocol">): WebRoute => ({
  ...rest,
  protocol: "rest",
  isOpenToOrigins: true,
  handler: async (request) => {
    const answered = await handler(request).catch((error: unknown) => refuse(deps, error, request));
    const nonce = nonceHeader(deps, request.call, request.header("dpop"));
    return { ...answered, headers: { ...answered.headers, ...nonce } };
  },
});
