import { lazy } from "../../base/lazy.ts";
import type { Call } from "../../call/index.ts";
import type { ClaimFunctionName } from "../../domain/action/index.ts";
import type { Script, TriggerPoint } from "../../domain/script/index.ts";
import type { User } from "../../domain/user/index.ts";
import type { ComplementDeps } from "./complement.ts";
import type { Effects } from "./effects.ts";

/** Runs the scripts of organizations that complement tokens and responses about users. */
export interface TokenScripts {
  /** Whether the instance has any; one of the user's organization may still be absent. */
  has(call: Call, name: ClaimFunctionName): boolean | Promise<boolean>;
  run(call: Call, name: ClaimFunctionName, input: TokenScriptInput): Promise<void>;
}

/** What the scripts of a user's organization are run for. */
interface TokenScriptInput {
  readonly user: User;
  /** The project of the application that is told, and its owner; undefined for service accounts, which have none. */
  readonly project: { readonly projectId: string; readonly organizationId: string } | undefined;
  readonly counts: (script: Script) => boolean;
  readonly claims: () => Readonly<Record<string, unknown>>;
  readonly add: (script: Script, effects: Pick<Effects, "claims" | "logs">) => void;
}

/** The triggers at which scripts do what targets do in these functions. */
const points = {
  preuserinfo: { flow: "complement_token", trigger: "pre_userinfo" },
  preaccesstoken: { flow: "complement_token", trigger: "pre_access_token" },
} as const satisfies Record<ClaimFunctionName, TriggerPoint>;

// Most instances have no scripts.
const load = lazy(() => import("./complement.ts"));

/** Creates the runner of scripts for tokens. */
export const createTokenScripts = (deps: ComplementDeps): TokenScripts => ({
  has: (call, name) => deps.scripts.hasAny(call.instanceId, points[name]),
  run: async (call, name, input) => {
    const { complement } = await load();
    return complement(deps, call, { ...input, kind: "token", point: points[name] });
  },
});
