import { lazy } from "../../base/lazy.ts";
import type { SignInScripts } from "../../domain/script/index.ts";
import type { ScriptPool } from "./script-pool.ts";
import type { SignInScriptsDeps } from "./sign-in-scripts.ts";

/** Creates the pool with the first script. */
export function createLatePool(): ScriptPool {
  const load = lazy(async () => (await import("./script-pool.ts")).createScriptPool());
  return { run: async (...of) => (await load()).run(...of) };
}

/** Creates the runner of scripts around sign-ins with the first sign-in. */
export function createLateSignInScripts(deps: SignInScriptsDeps): SignInScripts {
  const load = lazy(async () => (await import("./sign-in-scripts.ts")).createSignInScripts(deps));
  return {
    remember: async (...of) => (await load()).remember(...of),
    afterProof: async (...of) => (await load()).afterProof(...of),
    afterProvider: async (...of) => (await load()).afterProvider(...of),
    beforeCreation: async (...of) => (await load()).beforeCreation(...of),
    afterCreation: async (...of) => (await load()).afterCreation(...of),
  };
}
