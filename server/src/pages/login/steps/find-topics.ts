import type { Client } from "../../../domain/application/index.ts";
import { asksForApis, audienceOfScope, findOtherProjects, readScopes } from "../../../oauth/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Visit } from "../../visit/visit.ts";
import { type ScopeTopic, topicsOf } from "../parts/scopes.ts";
import { authorityOf } from "./authority-of.ts";

/** What a client may do with its tokens. */
export interface Topics {
  readonly topics: readonly ScopeTopic[];
  /** Names of what its tokens are for besides itself: addresses, and projects with their organizations. */
  readonly services: readonly string[];
}

/** Returns what a client may do with its scopes and resources, for the user. */
export async function findTopics(
  deps: Pick<PageDeps, "database" | "findInstanceById" | "originOf" | "namespaceAliases">,
  visit: Pick<Visit, "call">,
  client: Client | undefined,
  { scope, resources = [] }: { readonly scope: string; readonly resources?: readonly string[] },
): Promise<Topics> {
  const context = await authorityOf(deps, visit);
  const { reader, place } = context;
  const scopes = readScopes(scope, deps.namespaceAliases);
  const isOurs = (one: string): boolean =>
    audienceOfScope(new Set([one]), place.systemProjectId).includes(place.systemProjectId);
  const others = [...scopes].filter((one) => !isOurs(one));
  // Every other client has only the rights that its scopes name.
  const mayDoAll = client?.isTrustedForApi === true && asksForApis({ scope: scopes, resources }, place);
  const projects = client === undefined ? [] : await findOtherProjects(reader, client, scopes, place);
  return {
    topics: topicsOf(others, mayDoAll),
    services: [...resources, ...projects.map(({ name, organizationName }) => `${name} (${organizationName})`)],
  };
}
