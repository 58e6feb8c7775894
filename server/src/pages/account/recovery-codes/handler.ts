import type { Fault } from "../../../base/fault.ts";
import { generateFirstRecoveryCodes, generateRecoveryCodes, usualCodeCount } from "../../../domain/factor/index.ts";
import { listSignInMethods } from "../../../domain/sign-in-method/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountSettings } from "../parts/account-settings.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, attempt, errorsOf, toNews } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { openTicket, sealTicket } from "../parts/ticket.ts";
import { accountRecoveryCodesPage } from "./view.ts";

const path = "/ui/account/recovery-codes";
const keptPath = `${path}/kept`;

/** `/ui/account/recovery-codes`: generates codes, and shows them until the user confirms having saved them. */
export const recoveryCodePages = [
  accountPage({
    path,
    goal: "account-recovery-codes",
    get: async (deps, account) =>
      (await isAllowed(deps, account)) ? drawStart(deps, account, undefined) : toMethods(account),
    post: async (deps, account) => {
      if (!(await isAllowed(deps, account))) return toMethods(account);
      let codes: readonly string[] | undefined;
      const fault = await attempt(async () => {
        const made = await generateRecoveryCodes(deps, account.call, {
          userId: account.user.userId,
          count: usualCodeCount,
        });
        codes = made.codes.map((code) => code.reveal());
      });
      return codes === undefined ? drawStart(deps, account, fault) : drawCodes(deps, account, codes, false);
    },
  }),
  accountPage({
    path: keptPath,
    goal: "account-recovery-codes",
    pageOfForm: path,
    post: async (deps, account, form) => {
      if (form.get("kept") === "1") return toNews(account, accountPaths.methods, "recovery_codes_saved");
      const { codes } = openTicket(deps, account, "recovery_codes", form.get("ticket")) ?? {};
      return isTexts(codes) ? drawCodes(deps, account, codes, true) : seeOther(pageIn(account, path));
    },
  }),
];

/**
 * Confirms a new second factor. With the first one, where the settings allow recovery codes and the user has none, the
 * codes are made and shown.
 */
export async function toAddedFactor(deps: PageDeps, account: Account): Promise<WebResponse> {
  const { call, user } = account;
  const codes = (await isAllowed(deps, account))
    ? await generateFirstRecoveryCodes(deps, call, { userId: user.userId })
    : undefined;
  return codes === undefined
    ? toNews(account, accountPaths.methods, "method_added")
    : drawCodes(
        deps,
        account,
        codes.map((code) => code.reveal()),
        false,
      );
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

const toMethods = (account: Account): WebResponse => seeOther(pageIn(account, accountPaths.methods));

const isAllowed = async (deps: PageDeps, account: Account): Promise<boolean> =>
  (await accountSettings(deps, account)).secondFactors.includes("recovery_codes");

async function drawStart(deps: PageDeps, account: Account, fault: Fault | undefined): Promise<WebResponse> {
  const { recoveryCodesLeft } = await listSignInMethods(deps, account.call, account.user);
  return showAccount(deps, account, "methods", (context, frame) =>
    accountRecoveryCodesPage(context, {
      ...frame,
      step: "start",
      left: recoveryCodesLeft,
      action: pageIn(account, path),
      backHref: pageIn(account, accountPaths.methods),
      errors: errorsOf(deps, context, fault).map(({ message }) => ({ message })),
    }),
  );
}

function drawCodes(
  deps: PageDeps,
  account: Account,
  codes: readonly string[],
  isUnkept: boolean,
): Promise<WebResponse> {
  const ticket = sealTicket(deps, account, "recovery_codes", { codes });
  return showAccount(deps, account, "methods", (context, frame) =>
    accountRecoveryCodesPage(context, {
      ...frame,
      step: "keep",
      codes,
      ticket,
      action: pageIn(account, keptPath),
      backHref: pageIn(account, accountPaths.methods),
      errors: isUnkept ? [{ field: "kept", message: context.say("account.recovery.keep_first") }] : [],
    }),
  );
}
