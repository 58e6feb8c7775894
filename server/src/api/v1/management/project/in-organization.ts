import type { Database } from "../../../../database/index.ts";
import { requireProjectOfOrganization } from "../../../../domain/project/index.ts";
import { checkFirst } from "../../../contract/index.ts";

/**
 * Wraps handlers of the first generation for projects of the call's organization, and for what is in them: projects of
 * other organizations are not found. The request names the project as `projectId` or `id`.
 */
export const inProjectOfOrganization = <Handlers extends object>(
  { database }: { readonly database: Database },
  handlers: Handlers,
): Handlers =>
  checkFirst(handlers, (call, request: { readonly projectId?: string; readonly id?: string }) =>
    requireProjectOfOrganization(database.read, call, request.projectId ?? request.id ?? ""),
  );
