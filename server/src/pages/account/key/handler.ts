import type { Fault } from "../../../base/fault.ts";
import { registerKey, verifyKeyRegistration } from "../../../domain/webauthn-key/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import type { PageAt } from "../../visit/handlers.ts";
import { readCredential, readKeyName } from "../../visit/read-credential.ts";
import { hostOf } from "../../visit/visit.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountSettings } from "../parts/account-settings.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, attempt, errorsOf, toNews } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { openTicket, sealTicket } from "../parts/ticket.ts";
import { toAddedFactor } from "../recovery-codes/handler.ts";
import { accountKeyPage } from "./view.ts";

type Kind = "passkey" | "u2f";
const paths = { passkey: "/ui/account/passkey", u2f: "/ui/account/security-key" } as const;
const goals = { passkey: "account-passkey", u2f: "account-security-key" } as const;

/**
 * `/ui/account/passkey` and `/ui/account/security-key`: adds one. The options for the browser are not stored, so the
 * page is rendered immediately.
 */
export const keyPages: readonly PageAt[] = (["passkey", "u2f"] as const).flatMap((kind) => [
  accountPage({
    path: paths[kind],
    goal: goals[kind],
    get: async (deps, account) =>
      (await isAllowed(deps, account, kind)) ? drawStart(deps, account, kind, undefined) : toMethods(account),
    post: async (deps, account, form) =>
      (await isAllowed(deps, account, kind)) ? start(deps, account, kind, form) : toMethods(account),
  }),
  accountPage({
    path: `${paths[kind]}/create`,
    goal: goals[kind],
    pageOfForm: paths[kind],
    post: (deps, account, form) => complete(deps, account, kind, form),
  }),
]);

const toMethods = (account: Account): WebResponse => seeOther(pageIn(account, accountPaths.methods));

async function isAllowed(deps: PageDeps, account: Account, kind: Kind): Promise<boolean> {
  const { allowPasskeys, secondFactors } = await accountSettings(deps, account);
  return kind === "passkey" ? allowPasskeys : secondFactors.includes("u2f");
}

async function start(deps: PageDeps, account: Account, kind: Kind, form: URLSearchParams): Promise<WebResponse> {
  const { call, user, visit } = account;
  if (form.get("passkeys") !== "1") return drawStart(deps, account, kind, { id: "sign_in.passkeys_unsupported" });
  // For the browser's current host, so that the passkey can be used where it was created.
  const domain = hostOf(visit.request);
  let registered: Awaited<ReturnType<typeof registerKey>> | undefined;
  const fault = await attempt(async () => {
    registered = await registerKey(deps, call, { userId: user.userId, kind, domain });
  });
  if (registered === undefined) return drawStart(deps, account, kind, fault);
  const { credentialId, options } = registered;
  const ticket = sealTicket(deps, account, "key", { kind, credentialId });
  return showAccount(deps, account, "methods", (context, frame) =>
    accountKeyPage(context, {
      ...frame,
      step: "create",
      kind,
      action: pageIn(account, `${paths[kind]}/create`),
      ticket,
      options: JSON.stringify(options),
      name: readKeyName(form.get("key_name")),
      backHref: pageIn(account, accountPaths.methods),
    }),
  );
}

async function complete(deps: PageDeps, account: Account, kind: Kind, form: URLSearchParams): Promise<WebResponse> {
  const { call, user } = account;
  const ticket = openTicket(deps, account, "key", form.get("ticket"));
  const credential = readCredential(form.get("credential"));
  const credentialId = ticket?.["credentialId"];
  if (ticket?.["kind"] !== kind || typeof credentialId !== "string" || credential === undefined) {
    return drawStart(deps, account, kind, { id: "factor.key_refused" });
  }
  const name = readKeyName(form.get("key_name"));
  const fault = await attempt(() =>
    verifyKeyRegistration(deps, call, { userId: user.userId, credentialId, kind, credential, name }),
  );
  if (fault !== undefined) return drawStart(deps, account, kind, fault);
  return kind === "u2f" ? toAddedFactor(deps, account) : toNews(account, accountPaths.methods, "method_added");
}

const drawStart = (
  deps: PageDeps,
  account: Account,
  kind: Kind,
  fault: Pick<Fault, "id"> | undefined,
): Promise<WebResponse> =>
  showAccount(deps, account, "methods", (context, frame) =>
    accountKeyPage(context, {
      ...frame,
      step: "start",
      kind,
      action: pageIn(account, paths[kind]),
      backHref: pageIn(account, accountPaths.methods),
      errors: errorsOf(deps, context, fault && { field: undefined, values: {}, ...fault }).map(({ message }) => ({
        message,
      })),
    }),
  );
