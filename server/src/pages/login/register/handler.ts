import { Fault } from "../../../base/fault.ts";
import type { Organization } from "../../../domain/organization/index.ts";
import { openSignUp, signUp, signUpWithPasskey, startSignUpWithPasskey } from "../../../domain/sign-up/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt, PageHandler } from "../../visit/handlers.ts";
import { readCredential, readKeyName } from "../../visit/read-credential.ts";
import { openTicket, sealTicket, textIn } from "../../visit/ticket.ts";
import { type Flow, findFlow, inFlow, isFlow } from "../flow/flow.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import { allProblems } from "../parts/all-problems.ts";
import { passkeyPage } from "../passkey/view.ts";
import { answerResubmittedPassword } from "../password/handler.ts";
import { verifyEmailTemplate } from "../verify-contact/handler.ts";
import { confirmTemplate, signInAddress } from "./register-addresses.ts";
import {
  drawRegister,
  explainRegister,
  findMissing,
  findMissingValues,
  findWrong,
  inputs,
  isTaken,
  organizationOfSignUp,
  registerPath,
  toSignIn,
  type Values,
} from "./register-form.ts";

/** `/ui/login/register`: registers a new account. Redirects to the sign-in where registration is closed. */
const showRegister: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const organization = await organizationOfSignUp(deps, flow);
  return organization === undefined ? toSignIn(flow) : drawRegister(deps, flow, organization, valuesOf(deps, flow), []);
};

const takeRegister: FormHandler = async (deps, visit, form) => {
  const password = form.get("password") ?? "";
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return (await answerResubmittedPassword(deps, visit, password)) ?? flow;
  const organization = await organizationOfSignUp(deps, flow);
  if (organization === undefined) return toSignIn(flow);
  const values = Object.fromEntries(inputs.map((name) => [name, (form.get(name) ?? "").trim()])) as Values;
  if (form.get("with") === "passkey") return startWithPasskey(deps, flow, organization, { values, form });
  const missing = findMissing(values, password, form.get("new_password_repeated"));
  const problems = allProblems(missing, await findWrong(deps, flow, organization, { values, password }));
  if (problems.length > 0) return drawRegister(deps, flow, organization, values, problems);
  try {
    const entered = { ...toSelfMade(values, organization), password, ...messageOf(flow) };
    const outcome = await signUp(deps, flow.visit.call, flow.steps, entered);
    const answered = outcome.outcome === "gone" ? await answerResubmittedPassword(deps, visit, password) : undefined;
    return answered ?? (await redirectForOutcome(deps, flow, outcome));
  } catch (error) {
    const isNameTaken = error instanceof Fault && isTaken(error);
    const answered = isNameTaken ? await answerResubmittedPassword(deps, visit, password) : undefined;
    return answered ?? (await explainRegister(deps, flow, organization, { values, error }));
  }
};

/**
 * Starts with a passkey instead of a password: the page asks the browser for one, and the account is created with it.
 */
async function startWithPasskey(
  deps: PageDeps,
  flow: Flow,
  organization: Organization,
  { values, form }: { readonly values: Values; readonly form: URLSearchParams },
): Promise<WebResponse> {
  const missing = findMissingValues(values);
  if (missing.length > 0) return drawRegister(deps, flow, organization, values, missing);
  if (form.get("passkeys") !== "1")
    return drawRegister(deps, flow, organization, values, [{ id: "sign_in.passkeys_unsupported" }]);
  const { host } = flow.steps;
  try {
    const person = toSelfMade(values, organization);
    const started = await startSignUpWithPasskey(deps, flow.visit.call, { host, person });
    const { userId, credentialId, relyingPartyId, options } = started;
    const content = { ...values, userId, credentialId, relyingPartyId, organizationId: organization.organizationId };
    const ticket = sealTicket(deps, flow.visit, ticketOf(flow), content);
    const action = inFlow(flow, passkeyPath);
    return await show(
      deps,
      flow.visit,
      (context) => passkeyPage(context, { step: "create", action, options: JSON.stringify(options), ticket }),
      { isAddressable: false },
    );
  } catch (error) {
    return explainRegister(deps, flow, organization, { values, error });
  }
}

/** `/ui/login/register/passkey`: creates the account with the passkey of the browser. */
const takePasskey: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const organization = await organizationOfSignUp(deps, flow);
  const content = openTicket(deps, visit, ticketOf(flow), form.get("ticket"));
  const text = (name: string): string => textIn(content, name);
  if (organization === undefined || text("organizationId") !== organization.organizationId) return toRegister(flow);
  const values = Object.fromEntries(inputs.map((name) => [name, text(name)])) as Values;
  const credential = readCredential(form.get("credential"));
  if (credential === undefined)
    return drawRegister(deps, flow, organization, values, [{ id: "sign_in.passkeys_unsupported" }]);
  const started = {
    userId: text("userId"),
    credentialId: text("credentialId"),
    relyingPartyId: text("relyingPartyId"),
  };
  const passkeyName = readKeyName(form.get("passkey_name"));
  try {
    const input = { ...toSelfMade(values, organization), ...messageOf(flow), started, credential, passkeyName };
    return await redirectForOutcome(deps, flow, await signUpWithPasskey(deps, flow.visit.call, flow.steps, input));
  } catch (error) {
    return explainRegister(deps, flow, organization, { values, error });
  }
};

const passkeyPath = `${registerPath}/passkey`;

export const registerPages: readonly PageAt[] = [
  { path: registerPath, get: showRegister, post: takeRegister, rateLimit: "signUp" },
  { path: passkeyPath, post: takePasskey, pageOfForm: registerPath, rateLimit: "signUp" },
];

/** Valid only for the same login. */
const ticketOf = ({ authRequestId = "" }: Flow): string => `register/${authRequestId}`;

const messageOf = (flow: Flow) => ({
  applicationName: flow.client?.name,
  urlTemplate: verifyEmailTemplate(flow.visit),
  confirmTemplate: confirmTemplate(flow),
  signInAddress: signInAddress(flow),
});

const toSelfMade = (values: Values, { organizationId }: Organization) => ({
  organizationId,
  givenName: values.given_name,
  familyName: values.family_name,
  email: values.email,
});

const toRegister = (flow: Flow): WebResponse => seeOther(inFlow(flow, registerPath));

// Values that were already entered or hinted at are not asked for again (WCAG 3.3.7), as far as they can be an address.
function valuesOf(deps: PageDeps, { signIn, visit, steps }: Flow): Partial<Values> {
  const pending = openSignUp(deps, visit.call, signIn);
  if (pending !== undefined) {
    return { given_name: pending.givenName, family_name: pending.familyName, email: pending.email };
  }
  const name = signIn.loginName || (steps.authRequest?.parameters.loginHint ?? "");
  return { email: name.includes("@") ? name : "" };
}
