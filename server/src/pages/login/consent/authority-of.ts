import { type AuthorityContext, authorityContext } from "../../../authority/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Visit } from "../../visit/visit.ts";

/** What the context is made of. */
export type AuthorityDeps = Pick<
  PageDeps,
  "database" | "clients" | "findInstanceById" | "originOf" | "namespaceAliases" | "settings"
>;

/** Returns what is needed to decide whose data a client requests tokens for, and whether the user is asked. */
export const authorityOf = (deps: AuthorityDeps, { call }: Pick<Visit, "call">): Promise<AuthorityContext> => {
  const { findInstanceById } = deps;
  return authorityContext(
    {
      ...deps,
      systemProjectIdOf: async (instanceId) => (await findInstanceById(instanceId))?.systemProjectId ?? "",
      defaultOrganizationIdOf: async (instanceId) => (await findInstanceById(instanceId))?.defaultOrganizationId ?? "",
    },
    call,
  );
};
