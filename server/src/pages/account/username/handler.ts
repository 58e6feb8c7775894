import type { Fault } from "../../../base/fault.ts";
import { mayPrepareFor } from "../../../domain/administrator-access/index.ts";
import { terminateOtherSessions } from "../../../domain/sign-out/index.ts";
import { updateUser } from "../../../domain/user-management/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, attempt, errorsOf, toNews } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { usernamePage } from "./view.ts";

const path = "/ui/account/username";

/** `/ui/account/username`: changes the username. */
export const usernamePages = [
  accountPage({
    path,
    goal: "account-username",
    get: (deps, account) => draw(deps, account, account.user.username, undefined),
    post: async (deps, account, form) => {
      const username = (form.get("username") ?? "").trim();
      const { call, user } = account;
      const fault = await attempt(() =>
        updateUser({ ...deps, mayPrepareFor, terminateOtherSessions }, call, { userId: user.userId, username }),
      );
      return fault === undefined
        ? toNews(account, accountPaths.profile, "username_saved")
        : draw(deps, account, username, fault);
    },
  }),
];

const draw = (deps: PageDeps, account: Account, username: string, fault: Fault | undefined): Promise<WebResponse> =>
  showAccount(deps, account, "profile", (context, frame) =>
    usernamePage(context, {
      ...frame,
      action: pageIn(account, path),
      backHref: pageIn(account, accountPaths.profile),
      username,
      errors: errorsOf(deps, context, fault, { username: "username" }),
    }),
  );
