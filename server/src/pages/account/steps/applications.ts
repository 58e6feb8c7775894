import { type ClientWithAccess, listOwnClients, revokeOwnClient } from "../../../domain/token/index.ts";
import { readScopes } from "../../../oauth/index.ts";
import type { PageDeps } from "../../deps.ts";
import { topicsOf } from "../../login/parts/scopes.ts";
import { type ApplicationView, applicationsPage } from "../views/applications.ts";
import { type Account, pageIn } from "./account.ts";
import { accountPaths } from "./frame.ts";
import { accountPage, toNews } from "./handlers.ts";
import { showAccount } from "./show-account.ts";

const path = accountPaths.applications;

/** `/ui/account/applications`: who holds tokens of the person. Revoking ends refresh and access tokens at once. */
export const applicationPages = [
  accountPage({
    path,
    goal: "account-applications",
    get: async (deps, account) => {
      const applications = await listApplications(deps, account);
      return showAccount(deps, account, "applications", (context, frame) =>
        applicationsPage(context, { ...frame, applications, revokeAction: pageIn(account, path) }),
      );
    },
    post: async (deps, account, form) => {
      await revokeOwnClient(deps, account.call, { clientId: form.get("client_id") ?? "" });
      return toNews(account, path, "application_revoked");
    },
  }),
];

/** The applications that hold tokens of the person, as people know them. */
export async function listApplications(deps: PageDeps, { call }: Account): Promise<ApplicationView[]> {
  const clients = await listOwnClients(deps, call);
  return Promise.all(clients.map((client) => toView(deps, call.instanceId, client)));
}

async function toView(deps: PageDeps, instanceId: string, client: ClientWithAccess): Promise<ApplicationView> {
  const { clientId, scopes, since, lastUsedAt, canRenew } = client;
  const name = (await deps.clients.find(instanceId, clientId))?.name ?? clientId;
  return {
    clientId,
    name,
    topics: topicsOf(readScopes(scopes.join(" "), deps.namespaceAliases)),
    since,
    lastUsedAt,
    canRenew,
  };
}
