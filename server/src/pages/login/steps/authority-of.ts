import { type AuthorityContext, authorityContext } from "../../../oauth/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Visit } from "../../visit/visit.ts";

/** Returns what is needed to tell for whom tokens are that a client requests. */
export const authorityOf = (
  deps: Pick<PageDeps, "database" | "findInstanceById" | "originOf" | "namespaceAliases">,
  { call }: Pick<Visit, "call">,
): Promise<AuthorityContext> => {
  const systemProjectIdOf = async (instanceId: string): Promise<string> =>
    (await deps.findInstanceById(instanceId))?.systemProjectId ?? "";
  return authorityContext({ ...deps, systemProjectIdOf }, call);
};
