import type { Fault } from "../../../base/fault.ts";
import { type CodeFactor, demandSignInMethod, removeFactor } from "../../../domain/factor/index.ts";
import { removeIdentityLink } from "../../../domain/identity-provider-link/index.ts";
import { listSignInMethods } from "../../../domain/sign-in-method/index.ts";
import { removeKey } from "../../../domain/webauthn-key/index.ts";
import type { PageContext, PageKey } from "../../../html/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { confirmPage } from "../parts/confirm.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, attempt, errorsOf, toNews } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";

const removePath = "/ui/account/methods/remove";

/** A sign-in method to remove, with its name for the user. */
type Removal =
  | { readonly kind: CodeFactor; readonly name: PageKey }
  | { readonly kind: "passkey" | "u2f"; readonly credentialId: string; readonly given: string; readonly name: PageKey }
  | {
      readonly kind: "idp";
      readonly identityProviderId: string;
      readonly externalUserId: string;
      readonly given: string;
    };

/** `/ui/account/methods/remove`: removes a sign-in method, after confirmation. */
export const removeMethodPages = [
  accountPage({
    path: removePath,
    goal: "account-methods",
    get: async (deps, account) => {
      const removal = await findRemoval(deps, account);
      return removal === undefined ? toMethods(account) : drawRemoval(deps, account, removal, undefined);
    },
    post: async (deps, account) => {
      const removal = await findRemoval(deps, account);
      // Already removed, for example by a form that was sent twice.
      if (removal === undefined) return toMethods(account);
      const fault = await attempt(() => remove(deps, account, removal));
      return fault === undefined
        ? toNews(account, accountPaths.methods, "method_removed")
        : drawRemoval(deps, account, removal, fault);
    },
  }),
];

const toMethods = (account: Account): WebResponse => seeOther(pageIn(account, accountPaths.methods));

/** Finds the method in the address, if the user has it. */
async function findRemoval(deps: PageDeps, { call, user, visit }: Account): Promise<Removal | undefined> {
  const { query } = visit;
  const methods = await listSignInMethods(deps, call, user);
  const kind = query.get("kind");
  const id = query.get("id");
  switch (kind) {
    case "passkey":
    case "u2f": {
      const keys = kind === "passkey" ? methods.passkeys : methods.securityKeys;
      const key = keys.find(({ credentialId }) => credentialId === id);
      const name = kind === "passkey" ? "account.passkey" : "account.security_key";
      return key && { kind, credentialId: key.credentialId, given: key.name, name };
    }
    case "idp": {
      const isWanted = (one: (typeof methods.links)[number]): boolean =>
        one.identityProviderId === query.get("provider") && one.externalUserId === id;
      const found = methods.links.find(isWanted);
      if (found === undefined) return undefined;
      const { identityProviderId, externalUserId, providerName } = found;
      return { kind, identityProviderId, externalUserId, given: providerName };
    }
    default: {
      const code = methods.codes.find((one) => one === kind);
      return code && { kind: code, name: `account.factor.${code}` };
    }
  }
}

function remove(deps: PageDeps, { call, user }: Account, removal: Removal): Promise<unknown> {
  const { userId } = user;
  switch (removal.kind) {
    case "passkey":
    case "u2f": {
      const { kind, credentialId } = removal;
      return removeKey(deps, call, { userId, credentialId, kind, demandOfRest: demandSignInMethod });
    }
    case "idp": {
      const { identityProviderId, externalUserId } = removal;
      return removeIdentityLink(deps, call, {
        userId,
        identityProviderId,
        externalUserId,
        demandOfRest: demandSignInMethod,
      });
    }
    default:
      return removeFactor(deps, call, { userId, kind: removal.kind });
  }
}

function drawRemoval(
  deps: PageDeps,
  account: Account,
  removal: Removal,
  fault: Fault | undefined,
): Promise<WebResponse> {
  const { query } = account.visit;
  const wanted = ["kind", "id", "provider"].map((name) => [name, query.get(name) ?? undefined] as const);
  return showAccount(deps, account, "methods", (context, frame) =>
    confirmPage(context, {
      ...frame,
      title: context.say("account.remove.title", { name: nameOf(context, removal) }),
      text: context.say("account.remove.text"),
      submit: context.say("account.remove"),
      action: pageIn(account, removePath, Object.fromEntries(wanted)),
      backHref: pageIn(account, accountPaths.methods),
      errors: errorsOf(deps, context, fault).map(({ message }) => ({ message })),
    }),
  );
}

function nameOf(context: PageContext, removal: Removal): string {
  if (!("given" in removal)) return context.say(removal.name);
  if (removal.given !== "") return removal.given;
  return "name" in removal ? context.say(removal.name) : "";
}
