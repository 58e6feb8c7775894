import type { Call } from "../call/index.ts";
import type { Database, Reader } from "../database/index.ts";
import type { ClientDirectory } from "../domain/application/index.ts";
import { type ConsentPolicy, type ConsentPolicyDeps, readConsentPolicy } from "./consent-policy.ts";
import type { AudienceInstance } from "./targets.ts";

/** What every decision about authority reads. */
export interface AuthorityContext {
  readonly reader: Reader;
  /** Clients besides the one that is decided about: those that tokens came from. */
  readonly clients: ClientDirectory;
  readonly instance: AudienceInstance;
  /** Namespace words besides ours. */
  readonly aliases: readonly string[];
  readonly consent: ConsentPolicy;
}

/** What the context is made of. */
export interface AuthorityDeps extends ConsentPolicyDeps {
  readonly database: Pick<Database, "read">;
  readonly clients: ClientDirectory;
  readonly namespaceAliases: readonly string[];
  /** Returns the id of the instance's built-in project: the audience of our own APIs. */
  readonly systemProjectIdOf: (instanceId: string) => Promise<string>;
  /** Returns the public origin of an instance: its issuer. */
  readonly originOf: (instanceId: string) => Promise<string>;
}

/** Returns the context of a request outside of a unit of work. */
export async function authorityContext(deps: AuthorityDeps, call: Call): Promise<AuthorityContext> {
  const { instanceId } = call;
  const [issuer, systemProjectId, consent] = await Promise.all([
    deps.originOf(instanceId),
    deps.systemProjectIdOf(instanceId),
    readConsentPolicy(deps, call),
  ]);
  const instance = { instanceId, issuer, systemProjectId };
  const { database, clients, namespaceAliases: aliases } = deps;
  return { reader: database.read, clients, instance, aliases, consent };
}
