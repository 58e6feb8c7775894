import { audienceOfResources, audienceOfScope, readScopes } from "../../../oauth/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Visit } from "../../visit/visit.ts";
import { type ScopeTopic, topicsOf } from "../parts/scopes.ts";

/** Returns what a client may do with its scopes and resources, as topics for the user. */
export async function findTopics(
  deps: Pick<PageDeps, "findInstanceById" | "namespaceAliases">,
  { call, request }: Pick<Visit, "call" | "request">,
  { scope, resources = [] }: { readonly scope: string; readonly resources?: readonly string[] },
): Promise<ScopeTopic[]> {
  const scopes = readScopes(scope, deps.namespaceAliases);
  const systemProjectId = (await deps.findInstanceById(call.instanceId))?.systemProjectId ?? "";
  const place = { issuer: request.instance.origin, systemProjectId };
  const isOurs = (one: string): boolean => audienceOfScope(new Set([one]), systemProjectId).includes(systemProjectId);
  const others = [...scopes].filter((one) => !isOurs(one));
  const isForUs = others.length < scopes.size || audienceOfResources(resources, place).includes(systemProjectId);
  return topicsOf(others, isForUs);
}
