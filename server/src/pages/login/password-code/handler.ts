import { Fault } from "../../../base/fault.ts";
import { verifyInvitation } from "../../../domain/invitation/index.ts";
import { mayPrepareFor } from "../../../domain/membership/index.ts";
import { setFirstPassword, setPassword } from "../../../domain/password/index.ts";
import { terminateOtherSessions } from "../../../domain/sign-out/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt } from "../../visit/handlers.ts";
import type { Visit } from "../../visit/visit.ts";
import { readTypedCode } from "../flow/typed-code.ts";
import { askForPasskey } from "../invitation/handler.ts";
import { findInvitationMethods } from "../invitation/invitation-methods.ts";
import { leaveForProvider } from "../invitation/provider-handler.ts";
import { findCodeHolder } from "./find-code-holder.ts";
import {
  drawInvitation,
  drawPasswordCode,
  type PasswordCodeProblem,
  passwordCodePaths as paths,
  toPasswordCodeProblem,
} from "./show-password-code.ts";
import { type PasswordCodePurpose, passwordCodePage } from "./view.ts";

const wrongCode: PasswordCodeProblem = { field: "code", id: "user.code_invalid" };
const donePath = "/ui/login/password-set";

/**
 * The pages on which a user sets a password with the code of a message. A GET does not consume the code, so link
 * scanners do no harm.
 */
export const passwordCodePages: readonly PageAt[] = [
  ...(["initialization", "invitation", "password_reset"] as const).map((purpose) => ({
    path: paths[purpose],
    get: async (deps: PageDeps, visit: Visit) => {
      const userId = visit.query.get("user");
      if (userId === null) return seeOther("/ui/login");
      const code = await readTypedCode(deps, visit, purpose, visit.query.get("code"));
      return drawPasswordCode(deps, visit, { purpose, userId, code, problems: [] });
    },
    post: take(purpose),
  })),
  {
    path: donePath,
    get: (deps, visit) =>
      show(deps, visit, (context) => passwordCodePage(context, { outcome: "done", signInHref: pathTo("/ui/login") }), {
        hasForm: false,
      }),
  },
];

function take(purpose: PasswordCodePurpose): FormHandler {
  return async (deps, visit, form) => {
    const userId = visit.query.get("user");
    if (userId === null) return seeOther("/ui/login");
    const code = await readTypedCode(deps, visit, purpose, form.get("code"));
    const user = await findCodeHolder(deps, visit, { purpose, userId, code });
    if (user === undefined) return drawPasswordCode(deps, visit, { purpose, userId, code, problems: [wrongCode] });
    const ways = await findInvitationMethods(deps, visit, { purpose, user });
    if (ways.passkey && form.get("with") === "passkey") return askForPasskey(deps, visit, { userId, code, form });
    const identityProviderId = form.get("provider");
    if (ways.providers.length > 0 && identityProviderId !== null) {
      return leaveForProvider(deps, visit, { userId, code, identityProviderId });
    }
    if (!ways.password) return acceptAlone(deps, visit, { userId, code });
    const password = form.get("new_password") ?? "";
    const missing = findMissing(password, form.get("new_password_repeated"));
    if (missing !== undefined) return drawPasswordCode(deps, visit, { purpose, userId, code, problems: [missing] });
    try {
      await choose(deps, visit, { purpose, userId, code, password });
      return seeOther(donePath);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return drawPasswordCode(deps, visit, { purpose, userId, code, problems: [toPasswordCodeProblem(error)] });
    }
  };
}

/** Accepts an invitation where users sign in elsewhere. */
async function acceptAlone(
  deps: PageDeps,
  visit: Visit,
  { userId, code }: { readonly userId: string; readonly code: string },
): Promise<WebResponse> {
  try {
    await verifyInvitation({ ...deps, mayPrepareFor }, visit.call, { userId, code });
    return seeOther("/ui/login/verify-email/done");
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return drawInvitation(deps, visit, { userId, code, problem: toPasswordCodeProblem(error) });
  }
}

interface Choice {
  readonly purpose: PasswordCodePurpose;
  readonly userId: string;
  readonly code: string;
  readonly password: string;
}

async function choose(deps: PageDeps, { call }: Visit, { purpose, userId, code, password }: Choice): Promise<void> {
  const withSignOut = { ...deps, mayPrepareFor, terminateOtherSessions };
  if (purpose !== "password_reset") {
    await setFirstPassword(withSignOut, call, { userId, kind: purpose, code, password });
    return;
  }
  const wanted = { password, isChangeRequired: false };
  await setPassword(withSignOut, call, { userId, password: wanted, proof: { by: "code", code } });
}

function findMissing(password: string, repeated: string | null): PasswordCodeProblem | undefined {
  if (password === "") return { field: "new_password", id: "setup.password_missing" };
  if (repeated === null || repeated === password) return undefined;
  return { field: "new_password_repeated", id: "sign_in.passwords_differ" };
}
