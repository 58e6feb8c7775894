import { lazy } from "../base/lazy.ts";
import type { SamlLogoutSender } from "../oauth/index.ts";
import type { SenderDeps } from "./logout/send-logout.ts";

/** Creates what tells service providers of ended sessions with the first notice. */
export function createSamlLogoutSender(deps: SenderDeps): SamlLogoutSender {
  const load = lazy(async () => (await import("./logout/send-logout.ts")).createSamlLogoutSender(deps));
  return async (notice) => (await load())(notice);
}
