import { isAdministrator } from "../../../domain/administrator-access/index.ts";
import type { BrowserAccount } from "../../../domain/session/index.ts";
import { awaitsSetup } from "../../../domain/setup/index.ts";
import { endpointPaths } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { inboxPathFor } from "../../dev/inbox.ts";
import { docsPath } from "../../docs/addresses.ts";
import { pathTo, show } from "../../visit/answer.ts";
import type { PageHandler } from "../../visit/handlers.ts";
import type { Visit } from "../../visit/visit.ts";
import { findPasswordRenewal } from "../flow/password-renewal.ts";
import { consoleHrefFor } from "../parts/console-href.ts";
import { findSignedIn } from "../signed-in/handler.ts";
import { listLaunches } from "./launches.ts";
import { startPage } from "./view.ts";

/**
 * `/`: the start page: to sign in, the user's account and applications. What developers need is only for
 * administrators, and in development for everyone: to others it would be a riddle.
 */
export const showStart: PageHandler = async (deps, visit) => {
  const { origin } = visit.request.instance;
  const inbox = inboxPathFor(deps, visit.request);
  const account = visit.isKnown ? await findSignedIn(deps, visit) : undefined;
  const isForDevelopers = deps.isDevelopment || (await isOfAdministrator(deps, visit, account));
  const model = {
    host: new URL(origin).host,
    account,
    isBeforeSetup: account === undefined && (await awaitsSetup(deps, visit.call)),
    renewHref: account && (await findPasswordRenewal(deps, visit, account.session)),
    launches: account === undefined ? [] : await listLaunches(deps, visit, account.session),
    signInHref: pathTo("/ui/login"),
    signOutHref: pathTo("/ui/logout"),
    links: {
      accountHref: account === undefined ? undefined : pathTo("/ui/account", { session: account.session.sessionId }),
      consoleHref: account && (await consoleHrefFor(deps, visit, account)),
      docsHref: isForDevelopers ? pathTo(docsPath) : undefined,
      inboxHref: inbox === undefined ? undefined : pathTo(inbox),
    },
    connect: isForDevelopers ? { issuer: origin, discoveryHref: pathTo(endpointPaths.discovery) } : undefined,
    isDevelopment: deps.isDevelopment,
  };
  return show(deps, visit, (context) => startPage(context, model), { hasForm: false });
};

async function isOfAdministrator(
  { database }: PageDeps,
  { call }: Visit,
  account: BrowserAccount | undefined,
): Promise<boolean> {
  const userId = account?.session.userId;
  return userId !== undefined && isAdministrator(database.read, call.instanceId, userId);
}
