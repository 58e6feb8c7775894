import type { Fault } from "../../../base/fault.ts";
import {
  confirmOtp,
  currentRecipient,
  findOtpEnrolment,
  listReadyFactors,
  type OtpConfirmation,
  type SentFactor,
  startOtp,
} from "../../../domain/factor/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { readTypedCode } from "../../login/flow/typed-code.ts";
import { sentFactorOf } from "../../parts/sent-factor.ts";
import { seeOther } from "../../visit/answer.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountSettings } from "../parts/account-settings.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, attempt, errorsOf } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { toAddedFactor } from "../recovery-codes/handler.ts";
import { accountOtpPage } from "./view.ts";

const path = "/ui/account/methods/add";
const codePath = `${path}/code`;

/**
 * `/ui/account/methods/add`: codes by email or SMS, which are enabled once the first of them was entered. It is sent
 * with the first form; if it does not arrive, nothing has changed.
 */
export const addOtpPages = [
  accountPage({
    path,
    goal: "account-methods",
    get: (deps, account) => withKind(deps, account, (kind) => drawStart(deps, account, { kind, fault: undefined })),
    post: (deps, account) => withKind(deps, account, (kind) => takeSending(deps, account, { kind, isAgain: false })),
  }),
  accountPage({
    path: codePath,
    goal: "account-methods",
    get: (deps, account) => withKind(deps, account, (kind) => drawCode(deps, account, { kind, fault: undefined })),
    post: (deps, account, form) => withKind(deps, account, (kind) => takeCode(deps, account, kind, form)),
  }),
  accountPage({
    path: `${codePath}/send`,
    goal: "account-methods",
    pageOfForm: codePath,
    post: (deps, account) => withKind(deps, account, (kind) => takeSending(deps, account, { kind, isAgain: true })),
  }),
];

/** Handles the kind of code in the address, if the settings allow it and the user does not have it already. */
async function withKind(
  deps: PageDeps,
  account: Account,
  work: (kind: SentFactor) => Promise<WebResponse>,
): Promise<WebResponse> {
  const { call, user, visit } = account;
  const kind = sentFactorOf(visit.query.get("kind"));
  const isAllowed = kind !== undefined && (await accountSettings(deps, account)).secondFactors.includes(kind);
  if (!isAllowed) return toMethods(account);
  const ready = await listReadyFactors(deps.database.read, call.instanceId, user.userId);
  return ready.includes(kind) ? toMethods(account) : work(kind);
}

const toMethods = (account: Account): WebResponse => seeOther(pageIn(account, accountPaths.methods));

async function takeSending(
  deps: PageDeps,
  account: Account,
  { kind, isAgain }: { readonly kind: SentFactor; readonly isAgain: boolean },
): Promise<WebResponse> {
  let isSent = false;
  const fault = await attempt(async () => {
    isSent = await startOtp(deps, account.call, { userId: account.user.userId, kind });
  });
  if (fault !== undefined) return drawStart(deps, account, { kind, fault });
  if (!isSent) return toMethods(account);
  return seeOther(pageIn(account, codePath, { kind, done: isAgain ? "code_sent" : undefined }));
}

async function takeCode(
  deps: PageDeps,
  account: Account,
  kind: SentFactor,
  form: URLSearchParams,
): Promise<WebResponse> {
  const code = await readTypedCode(deps, account.visit, kind, form.get("code"));
  let confirmation: OtpConfirmation | undefined;
  const fault = await attempt(async () => {
    confirmation = await confirmOtp(deps, account.call, { userId: account.user.userId, kind, code });
  });
  if (confirmation === undefined) return drawStart(deps, account, { kind, fault });
  switch (confirmation) {
    case "confirmed":
      return toAddedFactor(deps, account);
    case "present":
      return toMethods(account);
    case "wrong":
      return drawCode(deps, account, { kind, fault: { id: "sign_in.wrong_code", field: "code", values: {} } });
    case "unchallenged":
      return drawCode(deps, account, { kind, fault: { id: "sign_in.code_too_old", field: "code", values: {} } });
    default:
      return confirmation satisfies never;
  }
}

interface Draw {
  readonly kind: SentFactor;
  readonly fault: Pick<Fault, "id" | "field" | "values"> | undefined;
}

const drawStart = (deps: PageDeps, account: Account, { kind, fault }: Draw): Promise<WebResponse> =>
  showAccount(deps, account, "methods", (context, frame) =>
    accountOtpPage(context, {
      ...frame,
      kind,
      step: "start",
      recipient: currentRecipient(account.user, kind),
      action: pageIn(account, path, { kind }),
      backHref: pageIn(account, accountPaths.methods),
      errors: errorsOf(deps, context, fault).map(({ message }) => ({ message })),
    }),
  );

/** Renders the page for the pending code, or, without one, the page that sends it. */
async function drawCode(deps: PageDeps, account: Account, { kind, fault }: Draw): Promise<WebResponse> {
  const { call, user } = account;
  const sent = await findOtpEnrolment(deps.database.read, call, { user, kind });
  if (sent === undefined) {
    return fault === undefined ? seeOther(pageIn(account, path, { kind })) : drawStart(deps, account, { kind, fault });
  }
  const { recipient, wait } = sent;
  return showAccount(deps, account, "methods", (context, frame) =>
    accountOtpPage(context, {
      ...frame,
      kind,
      step: "code",
      recipient,
      action: pageIn(account, codePath, { kind }),
      backHref: pageIn(account, accountPaths.methods),
      resend: { action: pageIn(account, `${codePath}/send`, { kind }), wait },
      errors: errorsOf(deps, context, fault, { code: "code" }),
    }),
  );
}
