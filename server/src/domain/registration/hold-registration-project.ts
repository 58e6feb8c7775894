import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Tx } from "../../database/index.ts";
import { holdOrganization } from "../organization/index.ts";
import { createProject, holdProject, type Project } from "../project/index.ts";
import { findRegistrationProjectId, putRegistrationProject } from "./registration-project.store.ts";

const projectName = "Registered clients";

/**
 * Step: returns the project for the registered clients of an organization, locked exclusively; it is created on first
 * use. A concurrent caller waits for the one that creates it. Refuses an organization or a project that is not active.
 */
export async function holdRegistrationProject(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  organizationId: string,
): Promise<Project> {
  const project = (await holdKnown(tx, organizationId)) ?? (await make(tx, deps, organizationId));
  if (project.state !== "active") throw closed();
  return project;
}

async function holdKnown(tx: Tx, organizationId: string): Promise<Project | undefined> {
  const projectId = await findRegistrationProjectId(tx, organizationId);
  return projectId === undefined ? undefined : holdProject(tx, projectId, "alone");
}

async function make(tx: Tx, deps: { readonly newId: IdGenerator }, organizationId: string): Promise<Project> {
  const organization = await holdOrganization(tx, organizationId, "alone");
  if (organization?.state !== "active") throw closed();
  const madeMeanwhile = await holdKnown(tx, organizationId);
  if (madeMeanwhile !== undefined) return madeMeanwhile;
  const projectId = deps.newId();
  const create = (name: string): Promise<Project> => createProject(tx, deps, { organizationId, projectId, name });
  const project = await create(projectName).catch((error: unknown) => {
    // Another project has that name already; this one is needed all the same.
    if (error instanceof Fault && error.id === "project.name_taken") return create(`${projectName} ${projectId}`);
    throw error;
  });
  await putRegistrationProject(tx, organizationId, projectId);
  return project;
}

const closed = (): Fault => new Fault("failed_precondition", "registration.closed");
