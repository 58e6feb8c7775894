import { iam } from "../../authority/index.ts";
import { Fault } from "../../base/fault.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import type { ClaimFunctionName } from "../../domain/action/index.ts";
import type { Script } from "../../domain/script/index.ts";
import type { User } from "../../domain/user/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { createExtensionRoom, type ExtensionRoom } from "./extension-room.ts";
import { inNamespaces } from "./namespace-claims.ts";
import { countsForReaders, type ReadersOfClaims } from "./script-readers.ts";

/** Claims about a user, before their extension. */
export interface Extendable {
  readonly user: User;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly clientId: string;
  readonly actor: object | undefined;
  readonly readers: ReadersOfClaims;
}

/** Whether targets or scripts may extend claims in this instance. */
export function mayBeExtended(
  { functions, tokenScripts }: Pick<OAuthDeps, "functions" | "tokenScripts">,
  call: Call,
  name: ClaimFunctionName,
): boolean | Promise<boolean> {
  const byTargets = functions.has(call, name);
  const byScripts = tokenScripts.has(call, name);
  if (byTargets === true || byScripts === true) return true;
  if (byTargets === false && byScripts === false) return false;
  return Promise.all([byTargets, byScripts]).then(([first, second]) => first || second);
}

/**
 * Returns the claims with the additions of scripts of the user's organization, and then of a function's targets.
 * Existing claims cannot be replaced, nor can the claims of the protocol and of our namespace be added. Rejected
 * additions, and the log entries of scripts and targets, are in the claim `urn:service:iam:action:<name>:log`, named
 * after the script or the function. Throws an OAuthError when one of them refuses.
 */
export async function extendClaims(
  deps: OAuthDeps,
  call: Call,
  name: ClaimFunctionName,
  extendable: Extendable,
): Promise<Record<string, unknown>> {
  const { user, claims, clientId, actor } = extendable;
  const room = createExtensionRoom(deps.namespaceAliases, claims);
  const logs = new Map<string, readonly string[]>();
  await runScripts(deps, call, name, { extendable, room, logs }).catch(refuseAsScripts);
  if (await deps.functions.has(call, name)) {
    const project = await deps.clients.find(call.instanceId, clientId);
    const about = { user, claims: room.claims(), application: { client_id: clientId }, project, actor };
    note(logs, name, room.add(await deps.functions.run(call, name, about).catch(refuseAsScripts)));
  }
  const logClaims = Object.fromEntries([...logs].map(([source, entries]) => [`${iam}:action:${source}:log`, entries]));
  return { ...room.claims(), ...(await inNamespaces(deps, call.instanceId, logClaims)) };
}

async function runScripts(
  deps: OAuthDeps,
  call: Call,
  name: ClaimFunctionName,
  {
    extendable,
    room,
    logs,
  }: Readonly<{ extendable: Extendable; room: ExtensionRoom; logs: Map<string, readonly string[]> }>,
): Promise<void> {
  if (!(await deps.tokenScripts.has(call, name))) return;
  const { user, clientId, readers } = extendable;
  await deps.tokenScripts.run(call, name, {
    user,
    project: await deps.clients.find(call.instanceId, clientId),
    counts: await countsForReaders(deps, call, user, readers),
    claims: room.claims,
    add: (script, effects) => note(logs, wordOf(script), room.add(effects)),
  });
}

function note(logs: Map<string, readonly string[]>, source: string, entries: readonly string[]): void {
  if (entries.length > 0) logs.set(source, [...(logs.get(source) ?? []), ...entries]);
}

// The name becomes a part of the name of a claim. It never passes for that of a function of the instance.
const wordOf = ({ name }: Script): string => (name === "preuserinfo" || name === "preaccesstoken" ? `${name}_` : name);

/** Throws the OAuthError of a target or script that failed or refused; anything else as it is. */
export function refuseAsScripts(error: unknown): never {
  if (!(error instanceof Fault) || !error.id.startsWith("execution.")) throw error;
  if (error.id === "execution.failed") {
    throw new OAuthError("temporarily_unavailable", "an action could not be run", { cause: error });
  }
  const { message } = error.values;
  throw new OAuthError("access_denied", typeof message === "string" ? message : "an action refused", { cause: error });
}
