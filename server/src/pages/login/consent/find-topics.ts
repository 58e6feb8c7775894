import {
  askerOf,
  asksForApis,
  audienceOfScope,
  findOtherProjects,
  findResources,
  isResourceScope,
  readScopes,
} from "../../../authority/index.ts";
import type { Language } from "../../../base/language.ts";
import type { Client } from "../../../domain/application/index.ts";
import type { AudienceResource } from "../../../domain/resource/index.ts";
import type { Visit } from "../../visit/visit.ts";
import { type ScopeTopic, topicsOf } from "../parts/scopes.ts";
import { type AuthorityDeps, authorityOf } from "./authority-of.ts";

/** What a client may do with its tokens. */
export interface Topics {
  readonly topics: readonly ScopeTopic[];
  /**
   * Names of what its tokens are for besides itself: resources with their addresses, projects with their organizations.
   */
  readonly services: readonly string[];
  /** What the scopes of resources permit, in the words of their owners. */
  readonly permissions: readonly string[];
}

/** Returns what a client may do with its scopes and resources, for the user. */
export async function findTopics(
  deps: AuthorityDeps,
  visit: Pick<Visit, "call">,
  client: Client | undefined,
  {
    scope,
    resources = [],
    userId,
  }: { readonly scope: string; readonly resources?: readonly string[]; readonly userId: string },
): Promise<Topics> {
  const context = await authorityOf(deps, visit);
  const { reader, instance } = context;
  const scopes = readScopes(scope, deps.namespaceAliases);
  const isOurs = (one: string): boolean =>
    audienceOfScope(new Set([one]), instance.systemProjectId).includes(instance.systemProjectId);
  const asker = client === undefined ? { organizationId: "" } : askerOf(context, { client, userId });
  const found = await findResources(reader, asker, resources, instance);
  const { permissions, described } = describe(found, scopes, visit.call.language);
  const others = [...scopes].filter((one) => !isOurs(one) && !described.has(one));
  // Every other client has only the rights that its scopes name.
  const mayDoAll = client?.isTrustedForApi === true && asksForApis({ scope: scopes, resources }, instance);
  const projects = client === undefined ? [] : await findOtherProjects(context, { client }, scopes);
  const ofResources = new Set(found.map(({ uri }) => uri));
  return {
    topics: topicsOf(others, mayDoAll),
    services: [
      ...found.map(({ name, uri, organizationName, isShared }) =>
        isShared ? `${name} (${uri})` : `${name} (${uri}, ${organizationName})`,
      ),
      ...resources.filter((uri) => !ofResources.has(uri)),
      ...projects.map(({ name, organizationName }) => `${name} (${organizationName})`),
    ],
    permissions,
  };
}

/** Returns the descriptions of scopes, with the name of the resource where there are several. */
function describe(
  resources: readonly AudienceResource[],
  asked: ReadonlySet<string>,
  language: Language,
): { readonly permissions: string[]; readonly described: ReadonlySet<string> } {
  const described = new Set<string>();
  const permissions = resources.flatMap((resource) =>
    resource.scopes
      .filter(({ name }) => asked.has(name) && isResourceScope(name))
      .map(({ name, descriptions }) => {
        described.add(name);
        const text = descriptions[language] ?? descriptions["en"] ?? Object.values(descriptions)[0] ?? name;
        return resources.length > 1 ? `${resource.name}: ${text}` : text;
      }),
  );
  return { permissions, described };
}
