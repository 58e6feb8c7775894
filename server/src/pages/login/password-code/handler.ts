import { Fault } from "../../../base/fault.ts";
import { mayPrepareFor } from "../../../domain/administrator-access/index.ts";
import { setFirstPassword, setPassword } from "../../../domain/password/index.ts";
import { removePrepared, terminateOtherSessions } from "../../../domain/sign-out/index.ts";
import type { HumanUser } from "../../../domain/user/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { PageAt } from "../../visit/handlers.ts";
import type { Visit } from "../../visit/visit.ts";
import { readTypedCode } from "../flow/typed-code.ts";
import { findCodeHolder } from "./find-code-holder.ts";
import {
  drawPasswordCode,
  type PasswordCodeProblem,
  passwordCodePaths as paths,
  toPasswordCodeProblem,
} from "./show-password-code.ts";
import { type PasswordCodePurpose, passwordCodePage } from "./view.ts";

const wrongCode: PasswordCodeProblem = { field: "code", id: "user.code_invalid" };
const donePath = "/ui/login/password-set";

/** A form with the right code of a message. */
export interface AcceptedCode {
  readonly purpose: PasswordCodePurpose;
  readonly userId: string;
  readonly code: string;
  readonly user: HumanUser;
  readonly form: URLSearchParams;
}

/**
 * Returns the page of a code; `accept` answers its form once the code is right. A GET does not consume the code, so
 * link scanners do no harm.
 */
export const pageForCode = (
  purpose: PasswordCodePurpose,
  accept: (deps: PageDeps, visit: Visit, accepted: AcceptedCode) => Promise<WebResponse>,
): PageAt => ({
  path: paths[purpose],
  get: async (deps, visit) => {
    const userId = visit.query.get("user");
    if (userId === null) return seeOther("/ui/login");
    const code = await readTypedCode(deps, visit, purpose, visit.query.get("code"));
    return drawPasswordCode(deps, visit, { purpose, userId, code, problems: [] });
  },
  post: async (deps, visit, form) => {
    const userId = visit.query.get("user");
    if (userId === null) return seeOther("/ui/login");
    const code = await readTypedCode(deps, visit, purpose, form.get("code"));
    const user = await findCodeHolder(deps, visit, { purpose, userId, code });
    if (user === undefined) return drawPasswordCode(deps, visit, { purpose, userId, code, problems: [wrongCode] });
    return accept(deps, visit, { purpose, userId, code, user, form });
  },
});

/** Sets the entered password. */
export async function takePassword(
  deps: PageDeps,
  visit: Visit,
  { purpose, userId, code, form }: AcceptedCode,
): Promise<WebResponse> {
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
}

/** The pages on which a user sets a password with the code of a message. Invitations offer more than a password. */
export const passwordCodePages: readonly PageAt[] = [
  pageForCode("initialization", takePassword),
  pageForCode("password_reset", takePassword),
  {
    path: donePath,
    get: (deps, visit) =>
      show(deps, visit, (context) => passwordCodePage(context, { outcome: "done", signInHref: pathTo("/ui/login") }), {
        hasForm: false,
      }),
  },
];

interface Choice {
  readonly purpose: PasswordCodePurpose;
  readonly userId: string;
  readonly code: string;
  readonly password: string;
}

async function choose(
  deps: PageDeps,
  { call, browser }: Visit,
  { purpose, userId, code, password }: Choice,
): Promise<void> {
  const withSignOut = { ...deps, mayPrepareFor, removePrepared, terminateOtherSessions };
  if (purpose !== "password_reset") {
    await setFirstPassword(withSignOut, call, { userId, kind: purpose, code, password });
    return;
  }
  const wanted = { password, isChangeRequired: false };
  const proof = { by: "code", code } as const;
  await setPassword(withSignOut, call, { userId, password: wanted, proof, codeEnteredIn: browser.hash });
}

function findMissing(password: string, repeated: string | null): PasswordCodeProblem | undefined {
  if (password === "") return { field: "new_password", id: "setup.password_missing" };
  if (repeated === null || repeated === password) return undefined;
  return { field: "new_password_repeated", id: "sign_in.passwords_differ" };
}
