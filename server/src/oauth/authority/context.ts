import type { Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { Place } from "./targets.ts";

/** What every decision about authority reads. */
export interface AuthorityContext {
  readonly reader: Reader;
  readonly place: Place;
  /** Namespace words besides ours. */
  readonly aliases: readonly string[];
}

/** Returns the context of a request outside of a unit of work. */
export async function authorityContext(
  deps: Pick<OAuthDeps, "database" | "systemProjectIdOf" | "originOf" | "namespaceAliases">,
  { instanceId }: Call,
): Promise<AuthorityContext> {
  const [issuer, systemProjectId] = await Promise.all([deps.originOf(instanceId), deps.systemProjectIdOf(instanceId)]);
  return { reader: deps.database.read, place: { instanceId, issuer, systemProjectId }, aliases: deps.namespaceAliases };
}
