import type { Database } from "../../../../database/index.ts";
import { requireProjectOfOrganization } from "../../../../domain/project/index.ts";
import { checkFirst } from "../../../contract/index.ts";

/**
 * Wraps handlers of the first generation for projects of the call's organization, and for what is in them: projects of
 * other organizations are not found, and neither are their grants. The request names the project as `projectId` or
 * `id`.
 */
export const inProjectOfOrganization = <Handlers extends object>(
  { database }: { readonly database: Database },
  handlers: Handlers,
): Handlers =>
  checkFirst(handlers, (call, { projectId, id, grantId }: Named) =>
    requireProjectOfOrganization(
      database.read,
      call,
      projectId ?? id ?? "",
      grantId === undefined ? "project.not_found" : "project_grant.not_found",
    ),
  );

interface Named {
  readonly projectId?: string;
  readonly id?: string;
  readonly grantId?: string;
}
