import type { Command } from "commander";
import type { ApiClient } from "../api-call.ts";
import { createApiClient } from "../api-client.ts";
import { answer } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { findServer } from "../find-server.ts";
import { findApplication } from "./app-list.ts";
import { type ClientOptions, clientFields, refuseClientFields } from "./client-options.ts";
import { describeApplication, type ShownApplication } from "./shown-application.ts";

interface Options extends ClientOptions {
  readonly name?: string;
  readonly redirectUri?: string[];
  readonly postLogoutRedirectUri?: string[];
}

/** Changes what is given of an application, and prints it. */
export async function runAppUpdate(command: Command, id: string): Promise<void> {
  const { name, redirectUri, postLogoutRedirectUri, ...options } = command.opts<Options>();
  const fields = {
    ...clientFields(options),
    ...(redirectUri !== undefined && { redirectUris: redirectUri }),
    ...(postLogoutRedirectUri !== undefined && { postLogoutRedirectUris: postLogoutRedirectUri }),
  };
  if (name === undefined && Object.keys(fields).length === 0) {
    throw new CommandError("nothing was given to change", { fix: "add an option, for example --redirect-uri" });
  }
  const api = createApiClient(await findServer(command));
  const { applicationId, projectId, type } = await requireApplication(api, id);
  if (type === "api" || type === "saml") refuseClientFields(fields, type);
  await api("application.v2.ApplicationService/UpdateApplication", {
    applicationId,
    projectId,
    ...(name !== undefined && { name }),
    ...(Object.keys(fields).length > 0 && { oidcConfiguration: fields }),
  });
  const changed = await requireApplication(api, applicationId);
  answer(command, changed, describeApplication(changed));
}

async function requireApplication(api: ApiClient, id: string): Promise<ShownApplication> {
  const found = await findApplication(api, id);
  if (found !== undefined) return found;
  throw new CommandError(`there is no application ${id}, or the token may not see it`, {
    fix: "look up its id with: doorward app list",
  });
}
