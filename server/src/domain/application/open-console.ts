import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { holdProject, type Project } from "../project/index.ts";
import type { Application } from "./application.ts";
import { findBuiltInClientId, putBuiltIn } from "./built-in-application.store.ts";
import { consoleConfiguration, consoleName } from "./built-in-application.ts";
import { type CreateApplicationDeps, registerApplication } from "./create-application.ts";

/**
 * Returns the client id of the instance's console, whose application is created when it is asked for the first time, by
 * anyone: it is the same for all, and gives a stranger nothing.
 */
export async function openConsole(
  deps: CreateApplicationDeps & { readonly database: Database },
  call: Call,
): Promise<string> {
  const { instanceId } = call;
  return (
    (await findBuiltInClientId(deps.database.read, instanceId, "console")) ??
    (await deps.database.change(call, (tx) => createOnce(tx, deps)))
  );
}

async function createOnce(tx: Tx, deps: CreateApplicationDeps): Promise<string> {
  const instance = await findInstance(tx, tx.instanceId);
  // The lock lets one unit of work after the other look for the application, and each sees what those before it made.
  const project = instance && (await holdProject(tx, instance.systemProjectId, "alone"));
  if (project === undefined) throw new Fault("not_found", "instance.not_found");
  const found = await findBuiltInClientId(tx, tx.instanceId, "console");
  if (found !== undefined) return found;
  const applicationId = deps.newId();
  const { clientId } = await create(tx, deps, project, applicationId);
  await putBuiltIn(tx, { name: "console", applicationId });
  return clientId;
}

async function create(
  tx: Tx,
  deps: CreateApplicationDeps,
  project: Project,
  applicationId: string,
): Promise<Application> {
  const register = (name: string) => {
    const input = { kind: "oidc", applicationId, name, configuration: consoleConfiguration() } as const;
    return registerApplication(tx, deps, project, input);
  };
  const { application } = await register(consoleName).catch((error: unknown) => {
    // An administrator gave the name to an application of theirs.
    if (error instanceof Fault && error.id === "application.name_taken")
      return register(`${consoleName} ${applicationId}`);
    throw error;
  });
  return application;
}
