import { Fault } from "../../base/fault.ts";
import { type IdGenerator, isChosenId } from "../../base/id.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import { isName } from "../../base/names/name.ts";
import { firstSequence, type Tx } from "../../database/index.ts";
import { claimIdentifier } from "../instance/index.ts";
import { findProject, insertProject } from "./project.store.ts";
import {
  defaultProjectSettings,
  type Project,
  type ProjectSettings,
  projectAggregate,
  projectPayload,
} from "./project.ts";

export interface NewProject extends Partial<ProjectSettings> {
  readonly organizationId: string;
  /** Chosen by the caller, or generated. */
  readonly projectId?: string;
  readonly name: string;
}

/** Step: creates an active project in an organization that is known to exist. Refuses a name or an id that is taken. */
export async function createProject(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  input: NewProject,
): Promise<Project> {
  if (!isName(input.name)) throw new Fault("invalid_argument", "project.name_invalid", { field: "name" });
  if (input.projectId !== undefined && !isChosenId(input.projectId)) {
    throw new Fault("invalid_argument", "project.id_invalid", { field: "projectId" });
  }
  const projectId = input.projectId ?? deps.newId();
  const project = await insertProject(tx, {
    ...defaultProjectSettings,
    ...input,
    projectId,
    nameKey: canonicalName(input.name),
    sequence: await firstSequence(tx, "project", input.projectId),
  });
  if (project === undefined) throw await conflict(tx, projectId);
  await claimIdentifier(tx, "project", { identifier: projectId, field: "projectId" });
  tx.record({
    type: "project.created",
    ...projectAggregate(project),
    sequence: project.details.sequence,
    payload: projectPayload(project),
  });
  return project;
}

async function conflict(tx: Tx, projectId: string): Promise<Fault> {
  const isIdTaken = (await findProject(tx, tx.instanceId, projectId)) !== undefined;
  return isIdTaken
    ? new Fault("already_exists", "project.id_taken", { field: "projectId" })
    : new Fault("already_exists", "project.name_taken", { field: "name" });
}
