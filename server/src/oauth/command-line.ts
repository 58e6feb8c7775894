import { openBuiltIn } from "../domain/application/index.ts";
import type { WebHandler } from "../web/index.ts";
import type { OAuthDeps } from "./deps.ts";
import { json } from "./respond.ts";

/**
 * Creates the document that tells `doorward login` how to sign in: the issuer, the client id of the application that
 * comes with the instance, and whether devices without a browser may. It says nothing that a stranger could not learn
 * from the start of a sign-in.
 */
export function createCommandLineEndpoint(
  deps: Pick<OAuthDeps, "database" | "newId" | "random" | "commandLine">,
): WebHandler {
  return async ({ call, instance }) =>
    json(200, {
      issuer: instance.origin,
      command_line: {
        client_id: await openBuiltIn(deps, call, "command_line"),
        device_authorization: deps.commandLine === "all",
      },
    });
}
