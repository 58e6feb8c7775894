import { lazy } from "../../base/lazy.ts";
import type { Call } from "../../call/index.ts";
import type { Script } from "../../domain/script/index.ts";
import type { User } from "../../domain/user/index.ts";
import type { ComplementDeps } from "./complement.ts";
import type { Effects } from "./effects.ts";

/** An attribute of a SAML response that a script set. */
type ScriptAttribute = Effects["attributes"][number];

/** Runs the scripts of organizations that complement SAML responses. */
export interface SamlScripts {
  /**
   * Runs those of the user's organization, and returns the attributes that they set; of several with one name the first
   * counts. `counts` says whether the word of a script counts for the reader of the response.
   */
  run(
    call: Call,
    input: {
      readonly user: User;
      /** The project of the application that is told, and its owner. */
      readonly project: { readonly projectId: string; readonly organizationId: string };
      readonly counts: (script: Script) => boolean;
    },
  ): Promise<readonly ScriptAttribute[]>;
}

const point = { flow: "complement_saml_response", trigger: "pre_saml_response" } as const;

// Most instances have no scripts.
const load = lazy(() => import("./complement.ts"));

/** Creates the runner of scripts for SAML responses. */
export const createSamlScripts = (deps: ComplementDeps): SamlScripts => ({
  run: async (call, { user, project, counts }) => {
    const found = new Map<string, ScriptAttribute>();
    if (!(await deps.scripts.hasAny(call.instanceId, point))) return [];
    const { complement } = await load();
    await complement(deps, call, {
      user,
      project,
      point,
      kind: "saml",
      counts,
      claims: () => ({}),
      add: (_script, { attributes }) => {
        for (const attribute of attributes) if (!found.has(attribute.name)) found.set(attribute.name, attribute);
      },
    });
    return [...found.values()];
  },
});
