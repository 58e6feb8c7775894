import { Fault } from "../../../base/fault.ts";
import { confirmNewcomer } from "../../../domain/identity-provider-sign-in/index.ts";
import { isPossible, type StepOutcome } from "../../../domain/sign-in/index.ts";
import {
  confirmResubmission,
  confirmSignUp,
  openSignUp,
  type PendingSignUp,
  resendSignUpMessage,
} from "../../../domain/sign-up/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt, PageHandler } from "../../visit/handlers.ts";
import type { Visit } from "../../visit/visit.ts";
import { errorsOf, type Flow, findFlow, inFlow, isFlow, pageOf } from "../flow/flow.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import { resendWait } from "../flow/resend-wait.ts";
import { readTypedCode } from "../flow/typed-code.ts";
import { findResubmittedFlow } from "../password/handler.ts";
import { externalPage } from "../provider-attempt/external-address.ts";
import { findOpenAttempt } from "../provider-attempt/external-attempt.ts";
import { confirmPath, signInAddress } from "../register/register-addresses.ts";
import { explainRegister, organizationOfSignUp, registerPath, toSignIn } from "../register/register-form.ts";
import { registerConfirmPage } from "./view.ts";

const sendPath = `${confirmPath}/send`;

/**
 * `/ui/login/register/confirm`: the code that was sent to the address of a new account, in the browser that registers
 * it. The page is the same when the address already has an account; then no code is valid. A GET does not consume the
 * code.
 */
const showConfirm: PageHandler = async (deps, visit) => {
  const typed = visit.query.get("code");
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return typed === null ? flow : showElsewhere(deps, visit);
  const pending = findPending(deps, flow);
  if (pending === undefined) return typed === null ? leave(flow) : showElsewhere(deps, visit);
  const { proof } = pending;
  const changeHref = proof.by === "provider" ? externalPage(flow, proof.intentId) : inFlow(flow, registerPath);
  const code = await readTypedCode(deps, visit, "email_verification", typed);
  const { signIn, client } = flow;
  return show(deps, flow.visit, (context) =>
    registerConfirmPage(context, {
      step: "asked",
      client,
      address: signIn.loginName,
      code,
      action: inFlow(flow, confirmPath),
      changeHref,
      resend: { action: inFlow(flow, sendPath), wait: resendWait(visit) },
      signInHref: inFlow(flow, "/ui/login", { account: "other" }),
      isSentAgain: visit.query.has("again") && signIn.problem === undefined,
      errors: errorsOf(deps, context, flow, ["code"]),
    }),
  );
};

const takeConfirm: FormHandler = async (deps, visit, form) => {
  const code = await readTypedCode(deps, visit, "email_verification", form.get("code"));
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return (await answerResubmittedCode(deps, visit, code)) ?? flow;
  const pending = findPending(deps, flow);
  if (pending === undefined) return leave(flow);
  try {
    const { proof } = pending;
    const outcome =
      proof.by === "provider"
        ? await confirmAtProvider(deps, flow, { code, intentId: proof.intentId })
        : await confirmSignUp(deps, flow.visit.call, flow.steps, { signIn: flow.signIn, code });
    if ("status" in outcome) return outcome;
    if (outcome.outcome !== "gone") return await redirectForOutcome(deps, flow, outcome);
    // A form that was overtaken by another submission: the browser's current page says more.
    return (await answerResubmittedCode(deps, visit, code)) ?? seeOther(inFlow(flow, confirmPath));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return explain(deps, flow, pending, error);
  }
};

/** The same for a user from a provider; when the attempt is no longer open, its page explains why. */
async function confirmAtProvider(
  deps: PageDeps,
  flow: Flow,
  { code, intentId }: { readonly code: string; readonly intentId: string },
): Promise<StepOutcome | WebResponse> {
  const attempt = await findOpenAttempt(deps, flow, intentId);
  if (attempt === undefined) return seeOther(externalPage(flow, intentId));
  const { signIn, steps, visit } = flow;
  const outcome = await confirmNewcomer(deps, visit.call, steps, { signIn, attempt, code });
  return outcome.outcome === "changed" ? seeOther(externalPage(flow, intentId)) : outcome;
}

/**
 * Sends another message, and redirects to the input of its code: the same response, whatever address it is. A source
 * that has asked for too many messages reads when it can ask again.
 */
const takeSending: FormHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  if (findPending(deps, flow) === undefined) return leave(flow);
  const { signIn, steps } = flow;
  const outcome = await resendSignUpMessage(deps, flow.visit.call, steps, {
    signIn,
    signInAddress: signInAddress(flow),
  });
  return seeOther(inFlow(flow, confirmPath, outcome === "asked" ? { again: String(visit.call.now) } : {}));
};

export const registerConfirmPages: readonly PageAt[] = [
  { path: confirmPath, get: showConfirm, post: takeConfirm },
  { path: sendPath, post: takeSending, pageOfForm: confirmPath },
];

const findPending = (deps: PageDeps, { signIn, visit }: Flow): PendingSignUp | undefined =>
  isPossible("confirm_sign_up", signIn.state) ? openSignUp(deps, visit.call, signIn) : undefined;

// An account that was not confirmed in time starts again.
const leave = (flow: Flow): WebResponse =>
  seeOther(flow.signIn.state === "sign_up" ? inFlow(flow, registerPath) : pageOf(flow, flow.signIn.state));

/** The link of a message in another browser, or once it was consumed: it has no effect, and says where to use it. */
const showElsewhere = (deps: PageDeps, visit: Visit): Promise<WebResponse> =>
  show(
    deps,
    visit,
    (context) =>
      registerConfirmPage(context, {
        step: "elsewhere",
        registerHref: pathTo(registerPath),
        signInHref: pathTo("/ui/login"),
      }),
    { hasForm: false },
  );

async function explain(
  deps: PageDeps,
  flow: Flow,
  { givenName, familyName, email, proof }: PendingSignUp,
  error: Fault,
): Promise<WebResponse> {
  if (proof.by === "provider") return seeOther(externalPage(flow, proof.intentId));
  const organization = await organizationOfSignUp(deps, flow);
  if (organization === undefined) return toSignIn(flow);
  const values = { given_name: givenName, family_name: familyName, email };
  return explainRegister(deps, flow, organization, { values, error });
}

/** Answers a resubmitted form with a code that has already created the account. Undefined for any other form. */
async function answerResubmittedCode(deps: PageDeps, visit: Visit, code: string): Promise<WebResponse | undefined> {
  const former = await findResubmittedFlow(deps, visit);
  const { userId, loginName } = former?.signIn ?? {};
  if (former === undefined || userId === undefined || loginName === undefined) return undefined;
  const outcome = await confirmResubmission(deps, visit.call, former.steps, { userId, loginName, code });
  return outcome && redirectForOutcome(deps, former, outcome);
}
