import type { Fault } from "../../../base/fault.ts";
import { mayPrepareFor } from "../../../domain/administrator-access/index.ts";
import {
  codePause,
  findCodePause,
  removePhone,
  resendPhoneCode,
  sendEmailCode,
  setEmail,
  setPhone,
  verifyEmail,
  verifyPhone,
} from "../../../domain/contact/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { readTypedCode } from "../../login/flow/typed-code.ts";
import { verifyEmailTemplate } from "../../login/verify-contact/handler.ts";
import { seeOther } from "../../visit/answer.ts";
import type { PageAt } from "../../visit/handlers.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, attempt, errorsOf, toNews } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { type ContactKind, contactPage } from "./view.ts";

const paths = { email: "/ui/account/email", phone: "/ui/account/phone" } as const satisfies Record<ContactKind, string>;
const codePath = (kind: ContactKind): string => `${paths[kind]}/code`;

/** `/ui/account/email` and `/ui/account/phone`: a new address or number, and the code that verifies it. */
export const contactPages: readonly PageAt[] = (["email", "phone"] as const).flatMap((kind) => [
  accountPage({
    path: paths[kind],
    goal: `account-${kind}`,
    get: (deps, account) => drawValue(deps, account, kind, currentOf(account, kind), undefined),
    post: (deps, account, form) => takeValue(deps, account, kind, (form.get(kind) ?? "").trim()),
  }),
  accountPage({
    path: codePath(kind),
    // Verifying the present address does not change access to the account, and the code is the proof.
    goal: "account-profile",
    get: async (deps, account) =>
      isWaiting(account, kind) ? drawCode(deps, account, kind, undefined) : toProfile(account),
    post: (deps, account, form) => takeCode(deps, account, kind, form),
  }),
  accountPage({
    path: `${paths[kind]}/resend`,
    goal: "account-profile",
    pageOfForm: codePath(kind),
    post: async (deps, account) => {
      const fault = await attempt(() => resend(deps, account, kind));
      // If no code was sent before, the number is entered again, which sends one.
      if (fault?.id === "user.code_absent") return seeOther(pageIn(account, paths[kind]));
      if (fault !== undefined) return drawCode(deps, account, kind, fault);
      return toNews(account, codePath(kind), "code_sent");
    },
  }),
  ...(kind === "email"
    ? []
    : [
        accountPage({
          path: `${paths.phone}/remove`,
          goal: "account-phone",
          pageOfForm: paths.phone,
          post: async (deps, account) => {
            await removePhone(deps, account.call, account.user);
            return toNews(account, accountPaths.profile, "phone_removed");
          },
        }),
      ]),
]);

const currentOf = ({ user }: Account, kind: ContactKind): string =>
  kind === "email" ? user.email.address : (user.phone?.number ?? "");

const isWaiting = ({ user }: Account, kind: ContactKind): boolean =>
  kind === "email" ? !user.email.isVerified : user.phone?.isVerified === false;

const toProfile = (account: Account): WebResponse => seeOther(pageIn(account, accountPaths.profile));

async function takeValue(deps: PageDeps, account: Account, kind: ContactKind, value: string): Promise<WebResponse> {
  const { call, user, visit } = account;
  const { userId } = user;
  const fault = await attempt(() =>
    kind === "email"
      ? setEmail(deps, call, {
          userId,
          address: value,
          verification: { by: "message", urlTemplate: verifyEmailTemplate(visit), pause: codePause },
        })
      : setPhone(deps, call, { userId, number: value, verification: { by: "message", pause: codePause } }),
  );
  return fault === undefined ? seeOther(pageIn(account, codePath(kind))) : drawValue(deps, account, kind, value, fault);
}

async function takeCode(
  deps: PageDeps,
  account: Account,
  kind: ContactKind,
  form: URLSearchParams,
): Promise<WebResponse> {
  const { call, user, visit } = account;
  const code = await readTypedCode(deps, visit, `${kind}_verification`, form.get("code"));
  const verify = kind === "email" ? verifyEmail : verifyPhone;
  const fault = await attempt(() => verify({ ...deps, mayPrepareFor }, call, { userId: user.userId, code }));
  if (fault !== undefined) return isWaiting(account, kind) ? drawCode(deps, account, kind, fault) : toProfile(account);
  return toNews(account, accountPaths.profile, `${kind}_verified`);
}

async function resend(deps: PageDeps, { call, user, visit }: Account, kind: ContactKind): Promise<void> {
  const { userId } = user;
  if (kind === "email") {
    const delivery = { by: "message", urlTemplate: verifyEmailTemplate(visit), pause: codePause } as const;
    await sendEmailCode({ ...deps, mayPrepareFor }, call, { userId, delivery, isAgain: false });
    return;
  }
  await resendPhoneCode(deps, call, { userId, delivery: { by: "message", pause: codePause } });
}

const drawValue = (
  deps: PageDeps,
  account: Account,
  kind: ContactKind,
  value: string,
  fault: Fault | undefined,
): Promise<WebResponse> =>
  showAccount(deps, account, "profile", (context, frame) =>
    contactPage(context, {
      ...frame,
      kind,
      step: "value",
      action: pageIn(account, paths[kind]),
      value,
      backHref: pageIn(account, accountPaths.profile),
      removeAction:
        kind === "phone" && account.user.phone !== undefined ? pageIn(account, `${paths.phone}/remove`) : undefined,
      errors: errorsOf(deps, context, fault, { [kind]: kind }),
    }),
  );

async function drawCode(
  deps: PageDeps,
  account: Account,
  kind: ContactKind,
  fault: Fault | undefined,
): Promise<WebResponse> {
  const code = { kind: `${kind}_verification`, userId: account.user.userId } as const;
  const wait = await findCodePause(deps.database.read, account.call, code);
  return showAccount(deps, account, "profile", (context, frame) =>
    contactPage(context, {
      ...frame,
      kind,
      step: "code",
      action: pageIn(account, codePath(kind)),
      recipient: currentOf(account, kind),
      resendAction: pageIn(account, `${paths[kind]}/resend`),
      wait,
      backHref: pageIn(account, accountPaths.profile),
      errors: errorsOf(deps, context, fault, { code: "code" }).map((error) => ({ ...error, field: "code" as const })),
    }),
  );
}
