import { Fault } from "../../../base/fault.ts";
import { terminateOtherSessions } from "../../../domain/sign-out/index.ts";
import { findUserScope, setFirstPassword, setPassword } from "../../../domain/user/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt } from "../../visit/handlers.ts";
import type { Visit } from "../../visit/visit.ts";
import { type PasswordCodeField, type PasswordCodePurpose, passwordCodePage } from "../views/password-code.ts";
import { passwordRules } from "./password-change.ts";
import { readTypedCode } from "./typed-code.ts";

const paths = {
  initialization: "/ui/login/initialization",
  invitation: "/ui/login/invitation",
  password_reset: "/ui/login/password-reset",
} as const satisfies Record<PasswordCodePurpose, string>;
const donePath = "/ui/login/password-set";

/** The pages on which a password is chosen with the code of a message. Looking at one uses nothing up, so that scanners may follow links. */
export const passwordCodePages: readonly PageAt[] = [
  ...(["initialization", "invitation", "password_reset"] as const).map((purpose) => ({
    path: paths[purpose],
    get: async (deps: PageDeps, visit: Visit) => {
      const userId = visit.query.get("user");
      if (userId === null) return seeOther("/ui/login");
      const code = await readTypedCode(deps, visit, purpose, visit.query.get("code"));
      return draw(deps, visit, { purpose, userId, code, problems: [] });
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
    const password = form.get("new_password") ?? "";
    const missing = findMissing(password, form.get("new_password_repeated"));
    if (missing !== undefined) return draw(deps, visit, { purpose, userId, code, problems: [missing] });
    try {
      await choose(deps, visit, { purpose, userId, code, password });
      return seeOther(donePath);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return draw(deps, visit, { purpose, userId, code, problems: [toProblem(error)] });
    }
  };
}

interface Choice {
  readonly purpose: PasswordCodePurpose;
  readonly userId: string;
  readonly code: string;
  readonly password: string;
}

async function choose(deps: PageDeps, { call }: Visit, { purpose, userId, code, password }: Choice): Promise<void> {
  const withSignOut = { ...deps, terminateOtherSessions };
  if (purpose !== "password_reset") {
    await setFirstPassword(withSignOut, call, { userId, kind: purpose, code, password });
    return;
  }
  const wanted = { password, isChangeRequired: false };
  await setPassword(withSignOut, call, { userId, password: wanted, proof: { by: "code", code } });
}

interface Problem {
  readonly field: PasswordCodeField;
  readonly id: string;
  readonly values?: Fault["values"];
}

function findMissing(password: string, repeated: string | null): Problem | undefined {
  if (password === "") return { field: "new_password", id: "setup.password_missing" };
  if (repeated === null || repeated === password) return undefined;
  return { field: "new_password_repeated", id: "sign_in.passwords_differ" };
}

// Whoever has no code learns nothing about users: each refusal that is not about the password is the same.
function toProblem({ id, field, values }: Fault): Problem {
  if (id === "password.busy") return { field: "new_password", id: "sign_in.busy" };
  if (field === "password") return { field: "new_password", id, values };
  return { field: "code", id: "user.code_invalid" };
}

async function draw(
  deps: PageDeps,
  visit: Visit,
  shown: Omit<Choice, "password"> & { readonly problems: readonly Problem[] },
): Promise<WebResponse> {
  const { purpose, userId, code, problems } = shown;
  const user = await findUserScope(deps.database.read, visit.call.instanceId, userId);
  const rules = await passwordRules(deps, visit.call, user?.organizationId);
  return show(deps, visit, (context) =>
    passwordCodePage(context, {
      ...{ outcome: "asked", purpose, action: pathTo(paths[purpose], { user: userId }), code, rules },
      errors: problems.map(({ field, id, values }) => ({
        field,
        message: deps.texts.translate(context.language, `fault.${id}`, values),
      })),
    }),
  );
}
