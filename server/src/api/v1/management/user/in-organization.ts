import type { Database } from "../../../../database/index.ts";
import { requireUserOfOrganization } from "../../../../domain/user/index.ts";
import { checkFirst } from "../../../contract/index.ts";

/**
 * Wraps handlers of the first generation for users of the organization of the call: users of other organizations are
 * not found. The request names the user as `userId` or `id`.
 */
export const inOrganization = <Handlers extends object>(
  { database }: { readonly database: Database },
  handlers: Handlers,
): Handlers =>
  checkFirst(handlers, (call, request: { readonly userId?: string; readonly id?: string }) =>
    requireUserOfOrganization(database.read, call, request.userId ?? request.id ?? ""),
  );
