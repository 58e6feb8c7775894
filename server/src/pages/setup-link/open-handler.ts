import { Secret } from "../../base/secret.ts";
import { finishSetupLink, openSetupLink, SetupLinkEnded } from "../../domain/setup-link/index.ts";
import type { WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { pathTo, seeOther, show } from "../visit/answer.ts";
import type { FormHandler, PageHandler } from "../visit/handlers.ts";
import type { Visit } from "../visit/visit.ts";
import { readSetupSecret, setupCookie } from "./cookie.ts";
import { openPage } from "./open-view.ts";
import { tasksPath, withSession } from "./with-session.ts";

/**
 * `/ui/setup-link`: the address of every link, with its secret in the fragment. A GET opens nothing: programs that look
 * at links in messages do not spend them.
 */
export const showOpen: PageHandler = (deps, visit) => {
  const state = visit.query.get("state");
  return draw(deps, visit, state === "closed" || state === "finished" ? state : undefined);
};

/** Opens the link in this browser. */
export const takeOpen: FormHandler = async (deps, visit, form) => {
  const code = new Secret((form.get("setup_code") ?? "").trim());
  try {
    const opened = await openSetupLink(deps, visit.call, { code, presented: readSetupSecret(visit.request) });
    return seeOther(tasksPath, { "set-cookie": setupCookie(visit.request, opened.secret) });
  } catch (error) {
    if (!(error instanceof SetupLinkEnded)) throw error;
    return draw(deps, visit, "closed");
  }
};

/** Ends the link, because its holder is done. */
export const takeFinish: FormHandler = (deps, visit) =>
  withSession(deps, visit, async ({ link, caller }) => {
    await finishSetupLink(deps, { ...visit.call, caller }, link);
    const finished = pathTo("/ui/setup-link", { state: "finished" });
    return seeOther(finished, { "set-cookie": setupCookie(visit.request, undefined) });
  });

const draw = (deps: PageDeps, visit: Visit, outcome: "closed" | "finished" | undefined): Promise<WebResponse> =>
  show(deps, visit, (context) => openPage(context, { action: pathTo("/ui/setup-link"), outcome }), {
    isDecision: true,
  });
