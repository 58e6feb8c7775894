import type { Command } from "commander";
import type { ApiClient } from "../api-call.ts";
import { createApiClient } from "../api-client.ts";
import { answer } from "../command-context.ts";
import { findServer } from "../find-server.ts";
import { listAllOf, textOf } from "./api-record.ts";
import { describeApplication, type ShownApplication, toShown } from "./shown-application.ts";

/** Lists the applications that the token may see. */
export async function runAppList(command: Command): Promise<void> {
  const { project } = command.opts<{ project?: string }>();
  const api = createApiClient(await findServer(command));
  const applications = await listAll(api, project === undefined ? [] : [{ projectIdFilter: { projectId: project } }]);
  const lines = applications.map((application) => describeApplication(application));
  answer(command, { applications }, lines.length === 0 ? "There are no applications." : lines.join("\n\n"));
}

async function listAll(api: ApiClient, filters: readonly object[]): Promise<ShownApplication[]> {
  const found = await listAllOf("applications", (pagination) =>
    api("application.v2.ApplicationService/ListApplications", { pagination, filters }),
  );
  return found.map(toShown);
}

/** Finds an application by its id, or by its client id. */
export async function findApplication(api: ApiClient, id: string): Promise<ShownApplication | undefined> {
  const [byClient] = await listAll(api, [{ clientIdFilter: { clientId: id } }]);
  if (byClient !== undefined) return byClient;
  const { application } = await api("application.v2.ApplicationService/GetApplication", { applicationId: id }).catch(
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "not_found") return { application: undefined };
      throw error;
    },
  );
  const shown = application === undefined ? undefined : toShown(application as Readonly<Record<string, unknown>>);
  return shown === undefined || textOf(shown, "applicationId") === "" ? undefined : shown;
}
