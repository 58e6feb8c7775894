import type { Fault } from "../../../base/fault.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, show } from "../../visit/answer.ts";
import type { Visit } from "../../visit/visit.ts";
import { passwordRules } from "../password-change/handler.ts";
import { findCodeHolder } from "./find-code-holder.ts";
import { againAddress, findInvitationMethods } from "./invitation-methods.ts";
import { type PasswordCodeField, type PasswordCodePurpose, passwordCodePage } from "./view.ts";

/** The pages for the code of each message. */
export const passwordCodePaths = {
  initialization: "/ui/login/initialization",
  invitation: "/ui/login/invitation",
  password_reset: "/ui/login/password-reset",
} as const satisfies Record<PasswordCodePurpose, string>;

/** An error in the input. */
export interface PasswordCodeProblem {
  readonly field?: PasswordCodeField;
  readonly id: string;
  readonly values?: Fault["values"];
}

/**
 * Without a valid code nothing is learned about users: every refusal that does not concern the password is the same.
 */
export function toPasswordCodeProblem({ id, field, values }: Fault): PasswordCodeProblem {
  if (id === "password.busy") return { field: "new_password", id: "sign_in.busy" };
  if (field === "password") return { field: "new_password", id, values };
  return { field: "code", id: "user.code_invalid" };
}

/** Renders the page of an invitation, with its errors. */
export const drawInvitation = (
  deps: PageDeps,
  visit: Visit,
  shown: { readonly userId: string; readonly code: string; readonly problem: PasswordCodeProblem },
): Promise<WebResponse> =>
  drawPasswordCode(deps, visit, { ...shown, purpose: "invitation", problems: [shown.problem] });

/**
 * Renders a page that sets the first password, or a new one, with the code of a message. Rules and methods are those of
 * the user's organization once the code is right, and otherwise the instance's, as for a user who does not exist.
 */
export async function drawPasswordCode(
  deps: PageDeps,
  visit: Visit,
  shown: {
    readonly purpose: PasswordCodePurpose;
    readonly userId: string;
    readonly code: string;
    readonly problems: readonly PasswordCodeProblem[];
  },
): Promise<WebResponse> {
  const { purpose, userId, code, problems } = shown;
  const isInvitation = purpose === "invitation";
  const isSentAgain = isInvitation && visit.query.has("again") && problems.length === 0;
  const isRefused = problems.some(({ field }) => field === "code");
  const user = isRefused ? undefined : await findCodeHolder(deps, visit, { purpose, userId, code });
  const methods = await findInvitationMethods(deps, visit, { purpose, user });
  const rules = await passwordRules(deps, visit.call, user?.organizationId);
  return show(deps, visit, (context) =>
    passwordCodePage(context, {
      outcome: "asked",
      purpose,
      action: pathTo(passwordCodePaths[purpose], { user: userId }),
      code,
      rules,
      methods: {
        ...methods,
        providers: methods.providers.map(({ identityProviderId: id, name, kind }) => ({ id, name, kind })),
      },
      isSentAgain,
      againAction: isInvitation && isRefused ? againAddress(userId) : undefined,
      restartHref: isRefused && !isInvitation ? pathTo("/ui/login") : undefined,
      errors: problems.map(({ field, id, values }) => ({
        message: deps.texts.translate(context.language, `fault.${id}`, values),
        ...(field !== undefined && { field }),
      })),
    }),
  );
}
