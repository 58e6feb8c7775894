import type { Fault } from "../../../base/fault.ts";
import { registerTotp, verifyTotpRegistration } from "../../../domain/factor/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { TotpSecret } from "../../parts/totp-enrolment.ts";
import { seeOther } from "../../visit/answer.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountSettings } from "../parts/account-settings.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, attempt, errorsOf } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { openTicket, sealTicket } from "../parts/ticket.ts";
import { toAddedFactor } from "../recovery-codes/handler.ts";
import { accountTotpPage } from "./view.ts";

const path = "/ui/account/totp";
const confirmPath = `${path}/confirm`;

/**
 * `/ui/account/totp`: adds an authenticator app. Its secret is shown once, to the user who asked for it. The form
 * carries the sealed secret, so that a mistyped code does not need another one.
 */
export const totpPages = [
  accountPage({
    path,
    goal: "account-totp",
    get: async (deps, account) =>
      (await isAllowed(deps, account)) ? drawStart(deps, account, undefined) : toMethods(account),
    post: async (deps, account) => {
      if (!(await isAllowed(deps, account))) return toMethods(account);
      let secret: TotpSecret | undefined;
      const fault = await attempt(async () => {
        const made = await registerTotp(deps, account.call, account.user);
        secret = { secret: made.secret.reveal(), uri: made.uri.reveal() };
      });
      return secret === undefined ? drawStart(deps, account, fault) : drawSecret(deps, account, secret, undefined);
    },
  }),
  accountPage({
    path: confirmPath,
    goal: "account-totp",
    pageOfForm: path,
    post: async (deps, account, form) => {
      const { secret, uri } = openTicket(deps, account, "totp", form.get("ticket")) ?? {};
      if (typeof secret !== "string" || typeof uri !== "string") return seeOther(pageIn(account, path));
      const code = (form.get("code") ?? "").replace(/[\s-]/g, "").slice(0, 20);
      const fault = await attempt(() =>
        verifyTotpRegistration(deps, account.call, { userId: account.user.userId, code }),
      );
      if (fault === undefined) return toAddedFactor(deps, account);
      // The code was not wrong: there is nothing left to confirm, or there were too many guesses.
      return fault.id === "factor.code_wrong"
        ? drawSecret(deps, account, { secret, uri }, fault)
        : drawStart(deps, account, fault);
    },
  }),
];

const toMethods = (account: Account): WebResponse => seeOther(pageIn(account, accountPaths.methods));

const isAllowed = async (deps: PageDeps, account: Account): Promise<boolean> =>
  (await accountSettings(deps, account)).secondFactors.includes("totp");

const drawStart = (deps: PageDeps, account: Account, fault: Fault | undefined): Promise<WebResponse> =>
  showAccount(deps, account, "methods", (context, frame) =>
    accountTotpPage(context, {
      ...frame,
      step: "start",
      action: pageIn(account, path),
      backHref: pageIn(account, accountPaths.methods),
      errors: errorsOf(deps, context, fault).map(({ message }) => ({ message })),
    }),
  );

function drawSecret(
  deps: PageDeps,
  account: Account,
  secret: TotpSecret,
  fault: Fault | undefined,
): Promise<WebResponse> {
  const ticket = sealTicket(deps, account, "totp", { ...secret });
  return showAccount(deps, account, "methods", (context, frame) =>
    accountTotpPage(context, {
      ...frame,
      step: "confirm",
      action: pageIn(account, confirmPath),
      secret,
      ticket,
      backHref: pageIn(account, accountPaths.methods),
      errors: errorsOf(deps, context, fault, { code: "code" }),
    }),
  );
}
