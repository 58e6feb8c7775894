import { Fault } from "../../../base/fault.ts";
import { shownLoginName } from "../../../base/names/shown-login-name.ts";
import { mayPrepareFor } from "../../../domain/administrator-access/index.ts";
import { addPassword, setPassword } from "../../../domain/password/index.ts";
import { terminateOtherSessions } from "../../../domain/sign-out/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { passwordRules } from "../../login/password-change/handler.ts";
import { seeOther } from "../../visit/answer.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountSettings } from "../parts/account-settings.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, attempt, errorsOf, toNews } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { type AccountPasswordField, accountPasswordPage } from "./view.ts";

const path = "/ui/account/password";

/**
 * `/ui/account/password`: changes the password, with the current one; or sets the first one. All other sessions end.
 */
export const passwordPages = [
  accountPage({
    path,
    goal: "account-password",
    get: async (deps, account) =>
      (await isAllowed(deps, account)) ? draw(deps, account, undefined) : toMethods(account),
    post: async (deps, account, form) => {
      if (!(await isAllowed(deps, account))) return toMethods(account);
      const fault = await attempt(() => save(deps, account, form));
      return fault === undefined ? toNews(account, accountPaths.methods, "password_saved") : draw(deps, account, fault);
    },
  }),
];

const toMethods = (account: Account): WebResponse => seeOther(pageIn(account, accountPaths.methods));

const isAllowed = async (deps: PageDeps, account: Account): Promise<boolean> =>
  (await accountSettings(deps, account)).allowLocalAuthentication;

async function save(deps: PageDeps, { call, user, visit }: Account, form: URLSearchParams): Promise<void> {
  const wanted = form.get("new_password") ?? "";
  const repeated = form.get("new_password_repeated");
  const current = form.get("current_password") ?? "";
  if (user.hasPassword && current === "") throw refusal("current_password", "sign_in.wrong_current_password");
  if (wanted === "") throw refusal("new_password", "setup.password_missing");
  if (repeated !== null && repeated !== wanted) throw refusal("new_password_repeated", "sign_in.passwords_differ");
  const common = { userId: user.userId, browserHash: visit.browser.hash };
  const withSignOut = { ...deps, mayPrepareFor, terminateOtherSessions };
  if (!user.hasPassword) {
    await addPassword(withSignOut, call, { ...common, password: wanted });
    return;
  }
  await setPassword(withSignOut, call, {
    ...common,
    password: { password: wanted, isChangeRequired: false },
    proof: { by: "current_password", password: current },
  });
}

const refusal = (field: string, id: string): Fault => new Fault("invalid_argument", id, { field });

const fields: Readonly<Record<string, AccountPasswordField>> = {
  current_password: "current_password",
  currentPassword: "current_password",
  new_password: "new_password",
  password: "new_password",
  new_password_repeated: "new_password_repeated",
};

async function draw(deps: PageDeps, account: Account, fault: Fault | undefined): Promise<WebResponse> {
  const { call, user } = account;
  const rules = await passwordRules(deps, call, user.organizationId);
  return showAccount(deps, account, "methods", (context, frame) =>
    accountPasswordPage(context, {
      ...frame,
      action: pageIn(account, path),
      backHref: pageIn(account, accountPaths.methods),
      rules,
      loginName: shownLoginName(user.preferredLoginName),
      hasPassword: user.hasPassword,
      errors: errorsOf(deps, context, shown(fault), fields),
    }),
  );
}

// For the current password it only reports a failure, whatever the reason.
function shown(fault: Fault | undefined): Pick<Fault, "id" | "field" | "values"> | undefined {
  if (fault?.id === "password.busy") return { id: "sign_in.busy", field: undefined, values: {} };
  if (fault?.field !== "currentPassword") return fault;
  return { id: "sign_in.wrong_current_password", field: "currentPassword", values: {} };
}
