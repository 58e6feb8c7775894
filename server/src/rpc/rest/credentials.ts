import type { WebRequest } from "../../web/index.ts";
import type { Credentials } from "../presented-token.ts";

/** What came with a request besides its message. `organizationId` is what the organization header said. */
export const credentialsOf = (request: WebRequest, organizationId: string | undefined): Credentials => ({
  authorization: request.header("authorization"),
  dpop: request.header("dpop"),
  method: request.method,
  path: request.path,
  organizationId,
});
