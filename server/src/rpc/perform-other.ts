import type { PerformOther } from "../api/index.ts";
import { lazy } from "../base/lazy.ts";
import type { CallOtherDeps } from "./call-other.ts";
import type { Registry } from "./registry.ts";

// Loaded with the first call, as all messages are.
const load = lazy(() => import("./call-other.ts"));

/** Creates what calls other methods for the caller of a method (`callOther`). */
export const createPerformOther =
  (deps: () => Omit<CallOtherDeps, "registry">, registry: Registry): PerformOther =>
  async (call, other) => {
    const { callOther } = await load();
    return callOther({ ...deps(), registry }, call, other);
  };
