import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { requireUserOfOrganization } from "./user-of-organization.ts";

/**
 * Handlers of the first generation for users of the organization of the call: there, others do not exist. The request names the user as
 * `userId` or `id`.
 */
export function inOrganization<Handlers extends object>(
  deps: { readonly database: Database },
  handlers: Handlers,
): Handlers {
  const guarded = Object.entries(handlers).map(([name, handler]) => [
    name,
    async (call: Call, request: { readonly userId?: string; readonly id?: string }) => {
      await requireUserOfOrganization(deps.database.read, call, request.userId ?? request.id ?? "");
      return (handler as (call: Call, request: object) => Promise<unknown>)(call, request);
    },
  ]);
  return Object.fromEntries(guarded) as Handlers;
}
