import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { holdProject, type Project } from "../project/index.ts";
import type { Application } from "./application.ts";
import { findBuiltInClientId, putBuiltIn } from "./built-in-application.store.ts";
import { type BuiltInName, builtInConfiguration, builtInNames } from "./built-in-application.ts";
import { type CreateApplicationDeps, registerApplication } from "./create-application.ts";

/**
 * Returns the client id of an application that comes with the instance. It is created when it is asked for the first
 * time, by anyone: it is the same for all, and gives a stranger nothing.
 */
export async function openBuiltIn(
  deps: CreateApplicationDeps & { readonly database: Database },
  call: Call,
  name: BuiltInName,
): Promise<string> {
  const { instanceId } = call;
  return (
    (await findBuiltInClientId(deps.database.read, instanceId, name)) ??
    (await deps.database.change(call, (tx) => createOnce(tx, deps, name)))
  );
}

async function createOnce(tx: Tx, deps: CreateApplicationDeps, name: BuiltInName): Promise<string> {
  const instance = await findInstance(tx, tx.instanceId);
  // The lock lets one unit of work after the other look for the application, and each sees what those before it made.
  const project = instance && (await holdProject(tx, instance.systemProjectId, "alone"));
  if (project === undefined) throw new Fault("not_found", "instance.not_found");
  const found = await findBuiltInClientId(tx, tx.instanceId, name);
  if (found !== undefined) return found;
  const applicationId = deps.newId();
  const { clientId } = await create(tx, deps, { project, applicationId, name });
  await putBuiltIn(tx, { name, applicationId });
  return clientId;
}

interface Wanted {
  readonly project: Project;
  readonly applicationId: string;
  readonly name: BuiltInName;
}

async function create(
  tx: Tx,
  deps: CreateApplicationDeps,
  { project, applicationId, name }: Wanted,
): Promise<Application> {
  const configuration = builtInConfiguration(name, { commandLine: "all" });
  const register = (shown: string) =>
    registerApplication(tx, deps, project, { kind: "oidc", applicationId, name: shown, configuration });
  const { application } = await register(builtInNames[name]).catch((error: unknown) => {
    // An administrator gave the name to an application of theirs.
    if (error instanceof Fault && error.id === "application.name_taken")
      return register(`${builtInNames[name]} ${applicationId}`);
    throw error;
  });
  return application;
}
