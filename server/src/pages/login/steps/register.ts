import { Fault } from "../../../base/fault.ts";
import type { Organization } from "../../../domain/organization/index.ts";
import { enterPassword, organizationOf } from "../../../domain/sign-in/index.ts";
import { findSignUpPlace, signUp } from "../../../domain/sign-up/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { FormError } from "../../html/index.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import type { Visit } from "../../visit/visit.ts";
import { type RegisterField, registerPage } from "../views/register.ts";
import { arrive } from "./arrive.ts";
import { type Flow, findFlow, inFlow, isFlow } from "./flow.ts";
import { findTwinFlow } from "./password.ts";
import { passwordRules } from "./password-change.ts";
import { verifyEmailTemplate } from "./verify-email.ts";

/** `/ui/login/register`: an account for whoever has none. Where that is not open, the way is the ordinary one. */
export const showRegister: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const place = await findPlace(deps, flow);
  return place === undefined ? toSignIn(flow) : draw(deps, flow, place, { email: suggestEmail(flow) }, []);
};

export const takeRegister: FormHandler = async (deps, visit, form) => {
  const password = form.get("password") ?? "";
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return (await signInAsTwin(deps, visit, password)) ?? flow;
  const place = await findPlace(deps, flow);
  if (place === undefined) return toSignIn(flow);
  const values = Object.fromEntries(inputs.map((name) => [name, (form.get(name) ?? "").trim()])) as Values;
  const missing = findMissing(values, password, form.get("new_password_repeated"));
  if (missing.length > 0) return draw(deps, flow, place, values, missing);
  try {
    const outcome = await signUp(deps, flow.visit.call, flow.steps, {
      organizationId: place.organizationId,
      givenName: values.given_name,
      familyName: values.family_name,
      email: values.email,
      password,
      applicationName: flow.client?.name,
      urlTemplate: verifyEmailTemplate(visit),
    });
    const twin = outcome.outcome === "gone" ? await signInAsTwin(deps, visit, password) : undefined;
    return twin ?? (await arrive(deps, flow, outcome));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.id === "sign_up.closed") return toSignIn(flow);
    const twin = isTaken(error) ? await signInAsTwin(deps, visit, password) : undefined;
    return twin ?? (await draw(deps, flow, place, values, [toProblem(error)]));
  }
};

/** A form that was sent twice: the first has made the account, and the password proves whose the second is. Undefined for any other. */
async function signInAsTwin(deps: PageDeps, visit: Visit, password: string): Promise<WebResponse | undefined> {
  const twin = await findTwinFlow(deps, visit);
  return twin && arrive(deps, twin, await enterPassword(deps, visit.call, twin.steps, { at: twin.at, password }));
}

const isTaken = ({ id }: Fault): boolean => id === "user.name_unavailable" || id === "user.username_taken";

/**
 * The organization in which the person of a login may make an account: that of the request, or that the login led to, else the instance's default one. None for a request
 * that waits for somebody in particular, who has an account.
 */
export async function findPlace(deps: PageDeps, { visit, steps }: Flow): Promise<Organization | undefined> {
  const { instanceId } = visit.call;
  const { hintUserId, subjects } = steps.authRequest?.parameters ?? {};
  if (hintUserId !== undefined || subjects !== undefined) return undefined;
  const wanted = organizationOf(steps) ?? (await deps.findInstanceById(instanceId))?.defaultOrganizationId;
  return wanted === undefined ? undefined : findSignUpPlace(deps, instanceId, wanted);
}

type Input = Exclude<RegisterField, "password" | "new_password_repeated">;
type Values = Readonly<Record<Input, string>>;
interface Problem {
  readonly field?: RegisterField;
  readonly id: string;
  readonly values?: Fault["values"];
}

const inputs: readonly Input[] = ["given_name", "family_name", "email"];

const toSignIn = (flow: Flow): WebResponse => seeOther(inFlow(flow, "/ui/login", { account: "other" }));

// What was typed or hinted at already is not asked for again (WCAG 3.3.7), as far as it can be an address.
function suggestEmail({ at, steps }: Flow): string {
  const name = at.loginName || (steps.authRequest?.parameters.loginHint ?? "");
  return name.includes("@") ? name : "";
}

async function draw(
  deps: PageDeps,
  flow: Flow,
  { organizationId }: Organization,
  values: Partial<Values>,
  problems: readonly Problem[],
): Promise<WebResponse> {
  const { visit, client } = flow;
  const rules = await passwordRules(deps, visit.call, organizationId);
  return show(deps, visit, (context) =>
    registerPage(context, {
      ...{ action: inFlow(flow, "/ui/login/register"), client, values, rules },
      signInHref: inFlow(flow, "/ui/login", { account: "other" }),
      errors: problems.map(
        ({ field, id, values: named }): FormError<RegisterField> => ({
          message: deps.texts.translate(context.language, `fault.${id}`, named),
          ...(field !== undefined && { field }),
        }),
      ),
    }),
  );
}

function findMissing(values: Values, password: string, repeated: string | null): Problem[] {
  const missing: Problem[] = inputs
    .filter((name) => values[name] === "")
    .map((field) => ({ field, id: `setup.${field}_missing` }));
  if (password === "") missing.push({ field: "password", id: "setup.password_missing" });
  else if (repeated !== null && repeated !== password) {
    missing.push({ field: "new_password_repeated", id: "sign_in.passwords_differ" });
  }
  return missing;
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
  // The address is the username, so what is wrong with the one is wrong with the other.
  if (isTaken(fault)) return { field: "email", id: "user.name_unavailable" };
  if (field === "username") return { field: "email", id: "user.email_invalid" };
  const known = fieldOf[field];
  return { id, values, ...(known !== undefined && { field: known }) };
}
