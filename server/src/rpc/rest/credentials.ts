import type { WebRequest } from "../../web/index.ts";
import type { Credentials } from "../presented-token.ts";

/** Returns the credentials of a request. `organizationId` is the value of the organization header. */
export const credentialsOf = (request: WebRequest, organizationId: string | undefined): Credentials => ({
  authorization: request.header("authorization"),
  dpop: request.header("dpop"),
  method: request.method,
  path: request.path,
  organizationId,
});
