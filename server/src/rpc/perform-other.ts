import type { PerformOther, PerformTogether } from "../api/index.ts";
import { lazy } from "../base/lazy.ts";
import type { CallOtherDeps } from "./call-other.ts";
import type { Registry } from "./registry.ts";

// Loaded with the first call, as all messages are.
const load = lazy(() => import("./call-other.ts"));
const loadTogether = lazy(() => import("./call-together.ts"));

/** Creates what calls other methods for the caller of a method (`callOther`, `callTogether`). */
export const createPerformOther = (
  deps: () => Omit<CallOtherDeps, "registry">,
  registry: Registry,
): { readonly performOther: PerformOther; readonly performTogether: PerformTogether } => ({
  performOther: async (call, other) => {
    const { callOther } = await load();
    return callOther({ ...deps(), registry }, call, other);
  },
  performTogether: async (call, others, work) => {
    const { callTogether } = await loadTogether();
    return callTogether({ ...deps(), registry }, call, others, work);
  },
});
