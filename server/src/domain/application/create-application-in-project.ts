import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { requireChoiceOfIdentifier } from "../instance/index.ts";
import { holdProject, projectAbsence } from "../project/index.ts";
import {
  type CreateApplicationDeps,
  type CreatedApplication,
  createApplication,
  type NewApplication,
} from "./create-application.ts";

/** Registers an application in a project for a caller who may do so. */
export async function createApplicationInProject(
  deps: CreateApplicationDeps & { readonly database: Database },
  call: Call,
  input: NewApplication & { readonly projectId: string },
): Promise<CreatedApplication> {
  return deps.database.change(call, async (tx) => {
    const project = await holdProject(tx, input.projectId, "share");
    authorize(call, project, { permission: "project.app.write", ...projectAbsence });
    const chosen = { identifier: input.applicationId, field: "applicationId" };
    requireChoiceOfIdentifier(call, "project.app.write", chosen);
    return createApplication(tx, deps, project, input);
  });
}
