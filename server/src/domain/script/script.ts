import { Fault } from "../../base/fault.ts";
import { isName } from "../../base/names/name.ts";
import type { Scope } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import type { ScriptTrust } from "./script-trust.ts";

export type ScriptState = "active" | "inactive";

/** A script of an organization; the interface calls it an action. */
export interface Script extends Scope {
  readonly scriptId: string;
  readonly organizationId: string;
  /** Also the name of the function that is called. */
  readonly name: string;
  /** JavaScript. */
  readonly script: string;
  /** Milliseconds for one run. */
  readonly timeout: number;
  /** Whether what triggered the script goes on after a failure. */
  readonly isAllowedToFail: boolean;
  readonly state: ScriptState;
  /** What it is trusted with beyond its organization, by the rights of its last author. */
  readonly trust: ScriptTrust;
  readonly details: Details;
}

/** What a caller specifies of a script. */
export type ScriptInput = Pick<Script, "name" | "script" | "timeout" | "isAllowedToFail">;

const longestTimeout = 20_000;
const defaultTimeout = 10_000;
const longestScript = 40_000;

/** How many scripts an organization can have. */
export const mostScripts = 100;

/**
 * Returns the script in the form in which it is stored. Throws the Faults
 * `action.name_invalid|script_invalid|timeout_invalid`.
 */
export function checkScript(input: ScriptInput): ScriptInput {
  const name = input.name.trim();
  if (!isName(name)) throw new Fault("invalid_argument", "action.name_invalid", { field: "name" });
  if (input.script.trim() === "" || Buffer.byteLength(input.script) > longestScript) {
    throw new Fault("invalid_argument", "action.script_invalid", { field: "script" });
  }
  if (!Number.isFinite(input.timeout) || input.timeout < 0 || input.timeout > longestTimeout) {
    throw new Fault("invalid_argument", "action.timeout_invalid", { field: "timeout" });
  }
  return { ...input, name, timeout: input.timeout === 0 ? defaultTimeout : input.timeout };
}

/** The event aggregate of a script. */
export function scriptAggregate(script: Pick<Script, "scriptId" | "organizationId">) {
  return { aggregateType: "action", aggregateId: script.scriptId, ownerId: script.organizationId } as const;
}

/** What an operation on an existing script needs besides its own permission. */
export const scriptAbsence = { readPermission: "org.action.read", absent: "action.not_found" } as const;
