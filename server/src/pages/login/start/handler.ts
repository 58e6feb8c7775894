import { endpointPaths } from "../../../web/index.ts";
import { inboxPathFor } from "../../dev/inbox.ts";
import { docsPath } from "../../docs/frame.ts";
import { pathTo, show } from "../../visit/answer.ts";
import type { PageHandler } from "../../visit/handlers.ts";
import { findPasswordRenewal } from "../flow/password-renewal.ts";
import { consoleHrefFor } from "../parts/console-href.ts";
import { findSignedIn } from "../signed-in/handler.ts";
import { listLaunches } from "./launches.ts";
import { startPage } from "./view.ts";

/** `/`: the start page, with its links. */
export const showStart: PageHandler = async (deps, visit) => {
  const { origin } = visit.request.instance;
  const inbox = inboxPathFor(deps, visit.request);
  const account = visit.isKnown ? await findSignedIn(deps, visit) : undefined;
  const model = {
    host: new URL(origin).host,
    account,
    renewHref: account && (await findPasswordRenewal(deps, visit, account.session)),
    launches: account === undefined ? [] : await listLaunches(deps, visit, account.session),
    signInHref: pathTo("/ui/login"),
    signOutHref: pathTo("/ui/logout"),
    links: {
      accountHref: account === undefined ? undefined : pathTo("/ui/account", { session: account.session.sessionId }),
      consoleHref: account && (await consoleHrefFor(deps, visit, account)),
      docsHref: pathTo(docsPath),
      inboxHref: inbox === undefined ? undefined : pathTo(inbox),
    },
    issuer: origin,
    discoveryHref: pathTo(endpointPaths.discovery),
    isDevelopment: deps.isDevelopment,
  };
  return show(deps, visit, (context) => startPage(context, model), { hasForm: false });
};
