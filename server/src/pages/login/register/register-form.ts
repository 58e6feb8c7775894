import { Fault } from "../../../base/fault.ts";
import type { Organization } from "../../../domain/organization/index.ts";
import { loginSettingsOf } from "../../../domain/settings/index.ts";
import { isOrganizationUnproven, organizationOfNewcomers } from "../../../domain/sign-in/index.ts";
import { allowsPasskeySignUp, findSignUpOrganization } from "../../../domain/sign-up/index.ts";
import { listFaultsOfPerson } from "../../../domain/user-management/index.ts";
import type { FormError, Html, PageContext } from "../../../html/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import { findSupportLinks } from "../../visit/support-links.ts";
import { type Flow, inFlow } from "../flow/flow.ts";
import { passwordRules } from "../password-change/handler.ts";
import { type RegisterField, registerPage } from "./view.ts";

export const registerPath = "/ui/login/register";

/** Renders the form with its error; redirects to the sign-in when registration was closed. */
export function explainRegister(
  deps: PageDeps,
  flow: Flow,
  organization: Organization,
  { values, error }: { readonly values: Values; readonly error: unknown },
): WebResponse | Promise<WebResponse> {
  if (!(error instanceof Fault)) throw error;
  if (error.id === "sign_up.closed") return toSignIn(flow);
  return drawRegister(deps, flow, organization, values, [toProblem(error)]);
}

/** Whether the username is taken: reported only where the settings reveal usernames. */
export const isTaken = ({ id }: Fault): boolean => id === "user.name_unavailable" || id === "user.username_taken";

/**
 * Returns the organization in which the user may register: that of the request, or the one that the address names where
 * that may place newcomers, otherwise the instance's default. None for a request that expects a certain user, who
 * already has an account.
 */
export async function organizationOfSignUp(deps: PageDeps, { visit, steps }: Flow): Promise<Organization | undefined> {
  const { instanceId } = visit.call;
  const { hintUserId, subjects } = steps.authRequest?.parameters ?? {};
  if (hintUserId !== undefined || subjects !== undefined) return undefined;
  const wanted =
    (await organizationOfNewcomers(steps)) ?? (await deps.findInstanceById(instanceId))?.defaultOrganizationId;
  return wanted === undefined ? undefined : findSignUpOrganization(deps, instanceId, wanted);
}

/** Inputs besides the password. */
type Input = Exclude<RegisterField, "password" | "new_password_repeated">;
export type Values = Readonly<Record<Input, string>>;
export interface Problem {
  readonly field?: RegisterField;
  readonly id: string;
  readonly values?: Fault["values"];
}

export const inputs: readonly Input[] = ["given_name", "family_name", "email"];

/** Redirects to the sign-in. */
export const toSignIn = (flow: Flow): WebResponse => seeOther(inFlow(flow, "/ui/login", { account: "other" }));

/** Renders the form, with the entered values and their errors. */
export async function drawRegister(
  deps: PageDeps,
  flow: Flow,
  { organizationId, name }: Organization,
  values: Partial<Values>,
  problems: readonly Problem[],
): Promise<WebResponse> {
  const { visit, client } = flow;
  const rules = await passwordRules(deps, visit.call, organizationId);
  const settings = await loginSettingsOf(deps, visit.call, { organizationId });
  const isPasskeyOffered = allowsPasskeySignUp(settings);
  // An organization that the request names gets the new account, so its terms apply even where its texts do not.
  const named = { call: visit.call, textsOrganizationId: visit.organizationId };
  const legalLinks = await findSupportLinks(deps, named, new Map());
  const isDecision = await isOrganizationUnproven(flow.steps);
  const drawn = (context: PageContext): Html =>
    registerPage(context, {
      action: inFlow(flow, registerPath),
      organizationName: isDecision ? name : undefined,
      client,
      values,
      rules,
      isPasskeyOffered,
      ...(visit.organizationId !== visit.textsOrganizationId && { legalLinks }),
      signInHref: inFlow(flow, "/ui/login", { account: "other" }),
      errors: problems.map(
        ({ field, id, values: named }): FormError<RegisterField> => ({
          message: deps.texts.translate(context.language, `fault.${id}`, named),
          ...(field !== undefined && { field }),
        }),
      ),
    });
  return show(deps, visit, drawn, { isDecision });
}

/** Returns errors for required values that are missing, except the password. */
export const findMissingValues = (values: Values): Problem[] =>
  inputs.filter((name) => values[name] === "").map((field) => ({ field, id: `setup.${field}_missing` }));

/** Returns errors for required values that are missing. */
export function findMissing(values: Values, password: string, repeated: string | null): Problem[] {
  const missing = findMissingValues(values);
  if (password === "") missing.push({ field: "password", id: "setup.password_missing" });
  else if (repeated !== null && repeated !== password) {
    missing.push({ field: "new_password_repeated", id: "sign_in.passwords_differ" });
  }
  return missing;
}

/** Returns errors for values that no account can have. */
export async function findWrong(
  deps: PageDeps,
  { visit }: Flow,
  { organizationId }: Organization,
  { values, password }: { readonly values: Values; readonly password: string },
): Promise<Problem[]> {
  const { email, given_name: givenName, family_name: familyName } = values;
  const profile = { givenName, familyName };
  const person = { organizationId, username: email, email: { address: email }, profile, password };
  return (await listFaultsOfPerson(deps, visit.call, person)).map(toProblem);
}

const fieldOf: Readonly<Record<string, RegisterField>> = {
  email: "email",
  "profile.givenName": "given_name",
  "profile.familyName": "family_name",
  password: "password",
};

function toProblem(fault: Fault): Problem {
  const { id, field = "", values } = fault;
  if (id === "password.busy") return { id: "sign_in.busy" };
  // The address is the username, so an error of one concerns the other.
  if (isTaken(fault)) return { field: "email", id: "user.name_unavailable" };
  if (field === "username") return { field: "email", id: "user.email_invalid" };
  const known = fieldOf[field];
  return { id, values, ...(known !== undefined && { field: known }) };
}
