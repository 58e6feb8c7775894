import { Fault } from "../../../base/fault.ts";
import { Secret } from "../../../base/secret.ts";
import { findOrganization, type Organization } from "../../../domain/organization/index.ts";
import { completeSetup, isSetupOpen } from "../../../domain/setup/index.ts";
import { proceed } from "../../../domain/sign-in/index.ts";
import { firstSignInEpoch } from "../../../domain/user/index.ts";
import { listFaultsOfPerson } from "../../../domain/user-management/index.ts";
import type { FormError, PageContext } from "../../../html/index.ts";
import { isFromThisMachine, type WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { showError } from "../../visit/show-error.ts";
import type { Visit } from "../../visit/visit.ts";
import { findFlow, isFlow } from "../flow/flow.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import { allProblems } from "../parts/all-problems.ts";
import { passwordRules } from "../password-change/handler.ts";
import { type SetupField, setupPage } from "./view.ts";

/** `/ui/setup`: creates the first administrator. Once there is one, the page no longer exists. */
export const showSetup: PageHandler = async (deps, visit) =>
  (await isOpenFor(deps, visit)) ? draw(deps, visit, {}, []) : showClosed(deps, visit);

export const takeSetup: FormHandler = async (deps, visit, form) => {
  if (!(await isOpenFor(deps, visit))) return showClosed(deps, visit);
  const values = Object.fromEntries(inputs.map((name) => [name, (form.get(name) ?? "").trim()]));
  const password = form.get("password") ?? "";
  const missing = findMissing(values, password, form.get("new_password_repeated"));
  const problems = allProblems(missing, await findWrong(deps, visit, values, password));
  if (problems.length > 0) return draw(deps, visit, values, problems);
  try {
    const made = await completeSetup(deps, visit.call, {
      username: values["username"] ?? "",
      profile: { givenName: values["given_name"] ?? "", familyName: values["family_name"] ?? "" },
      email: values["email"] ?? "",
      password,
      secret: new Secret(values["setup_code"] ?? ""),
    });
    return await signInAs(deps, visit, made);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // That was the last permitted guess, or another caller was first.
    if (!(await isSetupOpen(deps, visit.call))) return showClosed(deps, visit);
    return draw(deps, visit, values, [toProblem(error)]);
  }
};

type Input = Exclude<SetupField, "password" | "new_password_repeated">;
interface Problem {
  readonly field: SetupField;
  readonly id: string;
  readonly values?: Fault["values"];
}

const inputs: readonly Input[] = ["given_name", "family_name", "email", "username", "setup_code"];

async function signInAs(
  deps: PageDeps,
  visit: Visit,
  made: { readonly userId: string; readonly organizationId: string },
): Promise<WebResponse> {
  const flow = await findFlow(deps, { ...visit, query: new URLSearchParams() });
  if (!isFlow(flow)) return flow;
  const factors = { passwordCheckedAt: visit.call.now };
  const proven = { ...made, loginName: made.userId, factors, signInEpoch: firstSignInEpoch };
  return redirectForOutcome(deps, flow, await proceed(deps, visit.call, flow.steps, proven));
}

async function draw(
  deps: PageDeps,
  visit: Visit,
  values: Readonly<Partial<Record<Input, string>>>,
  problems: readonly Problem[],
): Promise<WebResponse> {
  const organization = await findDefaultOrganization(deps, visit);
  const rules = await passwordRules(deps, visit.call, organization.organizationId);
  const { host } = new URL(visit.request.instance.origin);
  const loginNameSuffix = `@${organization.primaryDomain}`;
  return show(deps, visit, (context) =>
    setupPage(context, {
      action: pathTo("/ui/setup"),
      host,
      organization,
      loginNameSuffix,
      values,
      rules,
      errors: problems.map((problem) => say(deps, context, problem)),
    }),
  );
}

async function findDefaultOrganization(deps: PageDeps, { call }: Visit): Promise<Organization> {
  const instance = await deps.findInstanceById(call.instanceId);
  const organization =
    instance && (await findOrganization(deps.database.read, call.instanceId, instance.defaultOrganizationId));
  if (organization === undefined) throw new Error(`instance ${call.instanceId} has no default organization`);
  return organization;
}

const say = (deps: PageDeps, { language }: PageContext, { field, id, values }: Problem): FormError<SetupField> => ({
  field,
  message: deps.texts.translate(language, `fault.${id}`, values),
});

function findMissing(values: Readonly<Record<string, string>>, password: string, repeated: string | null): Problem[] {
  const missing: Problem[] = inputs
    .filter((name) => values[name] === "")
    .map((field) => ({ field, id: `setup.${field}_missing` }));
  if (password === "") missing.push({ field: "password", id: "setup.password_missing" });
  else if (repeated !== null && repeated !== password) {
    missing.push({ field: "new_password_repeated", id: "sign_in.passwords_differ" });
  }
  return missing;
}

async function findWrong(
  deps: PageDeps,
  visit: Visit,
  values: Readonly<Record<string, string>>,
  password: string,
): Promise<Problem[]> {
  const { organizationId } = await findDefaultOrganization(deps, visit);
  const { given_name: givenName = "", family_name: familyName = "", email: address = "", username = "" } = values;
  const person = { organizationId, username, email: { address }, profile: { givenName, familyName }, password };
  return (await listFaultsOfPerson(deps, visit.call, person)).map(toProblem);
}

const fieldOf: Readonly<Record<string, SetupField>> = {
  username: "username",
  email: "email",
  "profile.givenName": "given_name",
  "profile.familyName": "family_name",
  profile: "given_name",
  password: "password",
};

function toProblem({ id, field = "", values }: Fault): Problem {
  if (id === "setup.closed") return { field: "setup_code", id: "setup.code_wrong" };
  return { field: fieldOf[field] ?? "username", id, values };
}

const showClosed = (deps: PageDeps, visit: Visit): Promise<WebResponse> =>
  showError(deps, visit, { error: "setup_unavailable" });

const isOpenFor = async (deps: PageDeps, visit: Visit): Promise<boolean> =>
  isFromThisMachine(visit.request) && isSetupOpen(deps, visit.call);
