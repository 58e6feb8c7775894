import { Fault } from "../../../base/fault.ts";
import { addressKey } from "../../../base/names/address-key.ts";
import { shownLoginName } from "../../../base/names/shown-login-name.ts";
import { deleteOwnUser, mayDeleteSelf } from "../../../domain/deletion/index.ts";
import { collectPersonalData } from "../../../domain/personal-data/index.ts";
import { isSessionLive } from "../../../domain/session/index.ts";
import { pageHeaders, type WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, attempt, errorsOf } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { dataPage, deleteAccountPage } from "./view.ts";

const exportPath = `${accountPaths.data}/export`;
const deletePath = "/ui/account/delete";

/**
 * `/ui/account/data`: the stored data of the user, as a file; and the deletion of the account, where users may delete
 * it themselves.
 */
export const dataPages = [
  accountPage({
    path: accountPaths.data,
    goal: "account-data-overview",
    get: (deps, account) => drawData(deps, account),
  }),
  accountPage({
    path: exportPath,
    goal: "account-data",
    pageOfForm: accountPaths.data,
    post: async (deps, account) => {
      try {
        const data = await collectPersonalData(deps, account.call);
        // It takes turns: the session may have ended meanwhile.
        const { call, session } = account;
        return (await isSessionLive(deps.database.read, call.instanceId, session.sessionId))
          ? toFile(account, data)
          : toData(account);
      } catch (error) {
        if (error instanceof Fault && error.code === "resource_exhausted")
          return { ...(await drawData(deps, account, error)), status: 429 };
        throw error;
      }
    },
  }),
  accountPage({
    path: deletePath,
    goal: "account-delete",
    get: async (deps, account) =>
      (await isAllowed(deps, account)) ? drawDeletion(deps, account, "", undefined) : toData(account),
    post: async (deps, account, form) => {
      const typed = (form.get("login_name_again") ?? "").trim();
      const fault = await attempt(async () => {
        const { preferredLoginName } = account.user;
        const names = [preferredLoginName, shownLoginName(preferredLoginName)].map(addressKey);
        if (!names.includes(addressKey(typed))) throw differs();
        await deleteOwnUser(deps, account.call);
      });
      return fault === undefined ? seeOther("/ui/account/deleted") : drawDeletion(deps, account, typed, fault);
    },
  }),
];

const differs = (): Fault => new Fault("invalid_argument", "account.name_differs", { field: "login_name_again" });

const isAllowed = (deps: PageDeps, { call, user }: Account): Promise<boolean> =>
  mayDeleteSelf(deps.database.read, call.instanceId, user);

const toData = (account: Account): WebResponse => seeOther(pageIn(account, accountPaths.data));

/** Answers with a download, which browsers never show as a page of ours. */
function toFile({ visit }: Account, content: Readonly<Record<string, unknown>>): WebResponse {
  const isHttps = visit.request.instance.origin.startsWith("https:");
  return {
    status: 200,
    headers: {
      ...pageHeaders({ surface: "account", isHttps, frameAncestors: [] }),
      "content-type": "application/json",
      "content-disposition": 'attachment; filename="personal-data.json"',
    },
    body: JSON.stringify(content, undefined, 2),
  };
}

async function drawData(deps: PageDeps, account: Account, fault?: Fault): Promise<WebResponse> {
  const isDeletable = await isAllowed(deps, account);
  return showAccount(deps, account, "data", (context, frame) =>
    dataPage(context, {
      ...frame,
      exportAction: pageIn(account, exportPath),
      deleteHref: isDeletable ? pageIn(account, deletePath) : undefined,
      errors: errorsOf(deps, context, fault),
    }),
  );
}

const drawDeletion = (
  deps: PageDeps,
  account: Account,
  typed: string,
  fault: Fault | undefined,
): Promise<WebResponse> =>
  showAccount(deps, account, "data", (context, frame) =>
    deleteAccountPage(context, {
      ...frame,
      action: pageIn(account, deletePath),
      backHref: pageIn(account, accountPaths.data),
      typed,
      loginName: shownLoginName(account.user.preferredLoginName),
      errors: errorsOf(deps, context, fault, { login_name_again: "login_name_again" }),
    }),
  );
