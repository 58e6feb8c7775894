import { readConsentWords } from "../../../authority/index.ts";
import { requireCaller } from "../../../call/index.ts";
import { type ClientWithAccess, listOwnClients, revokeOwnClient } from "../../../domain/token/index.ts";
import type { PageDeps } from "../../deps.ts";
import { findTopics } from "../../login/consent/find-topics.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, toNews } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { type ApplicationView, applicationsPage } from "./view.ts";

const path = accountPaths.applications;

/**
 * `/ui/account/applications`: the applications with tokens of the user. Revoking ends refresh and access tokens
 * immediately.
 */
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

/** Lists the applications with tokens of the user, by the names that users know. */
async function listApplications(deps: PageDeps, account: Account): Promise<ApplicationView[]> {
  const clients = await listOwnClients(deps, account.call);
  return Promise.all(clients.map((client) => toView(deps, account, client)));
}

async function toView(deps: PageDeps, { call, visit }: Account, client: ClientWithAccess): Promise<ApplicationView> {
  const { clientId, scopes, since, lastUsedAt, canRenew } = client;
  const known = await deps.clients.find(call.instanceId, clientId);
  const words = readConsentWords(scopes);
  const { userId } = requireCaller(call);
  const scope = [...words.scopes, ...words.resourceScopes].join(" ");
  const requested = { scope, resources: words.resources, userId };
  const { topics, permissions } = await findTopics(deps, visit, known, requested);
  return {
    clientId,
    name: known?.name ?? clientId,
    topics,
    permissions,
    since,
    lastUsedAt,
    canRenew,
  };
}
