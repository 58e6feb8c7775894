import { parseHost } from "../../base/names/host.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findInstanceOfHost } from "./instance.store.ts";

/** Whether a host reaches any instance of the installation; for system users only. */
export async function existsDomain(
  deps: { readonly database: Database },
  call: Call,
  domain: string,
): Promise<boolean> {
  requirePermission(call, "system.domain.read", {});
  const host = parseHost(domain);
  return host !== undefined && (await findInstanceOfHost(deps.database.read, host)) !== undefined;
}
