import { hasFirstFactor } from "../../../domain/session/index.ts";
import {
  findMissingContext,
  findResendPause,
  isPossible,
  leadingTo,
  listFittingSessions,
  listSecondFactorsAt,
  proveSecondFactor,
  type SecondFactorKind,
  secondFactorKinds,
  sendSecondFactorCode,
} from "../../../domain/sign-in/index.ts";
import { findUser, findUserScope } from "../../../domain/user/index.ts";
import type { Href } from "../../../html/index.ts";
import type { PageDeps } from "../../deps.ts";
import { mask } from "../../parts/mask.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt, PageHandler } from "../../visit/handlers.ts";
import { errorsOf, type Flow, findFlow, inFlow, isFlow, pageOf } from "../flow/flow.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import { shownNameOf } from "../flow/shown-name.ts";
import { readTyped, readTypedCode } from "../flow/typed-code.ts";
import { ceremonyOf } from "../key/handler.ts";
import { pageOfSession } from "../password/handler.ts";
import { type Method, methodsPage } from "./methods-view.ts";
import { secondFactorPage } from "./view.ts";

const path = "/ui/login/second-factor";
const sendPath = `${path}/send`;
const methodsPath = "/ui/login/methods";

/** `/ui/login/second-factor`: the user's strongest second factor, unless another was chosen. */
const showSecondFactor: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, client } = flow;
  if (!isPossible("prove_second_factor", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  const met = await pageOfMetStepUp(deps, flow);
  if (met !== undefined) return seeOther(met);
  const usable = await listUsable(deps, flow);
  const wanted = usable.find((kind) => kind === visit.query.get("by")) ?? usable[0];
  const common = {
    client,
    loginName: await shownNameOf(deps, flow),
    changeHref: inFlow(flow, "/ui/login", { account: "other" }),
    methodsHref: inFlow(flow, methodsPath),
    isOnly: usable.length === 1,
  };
  const sent = wanted !== undefined && isSent(wanted) ? await findSending(deps, flow, wanted) : undefined;
  return show(deps, flow.visit, (context) => {
    if (wanted === undefined) return secondFactorPage(context, { ...common, kind: "none" });
    if (wanted === "key") {
      const errors = errorsOf<never>(deps, context, flow, []);
      return secondFactorPage(context, { ...common, kind: "key", ceremony: ceremonyOf(flow), errors });
    }
    return secondFactorPage(context, {
      ...common,
      kind: wanted,
      action: inFlow(flow, path, { by: wanted }),
      sent: sent && { ...sent, action: inFlow(flow, sendPath) },
      errors: errorsOf(deps, context, flow, ["code"]),
    });
  });
};

/** Returns where codes are sent, and how long until the next one. */
async function findSending(deps: PageDeps, { visit: { call }, signIn }: Flow, kind: "otp_sms" | "otp_email") {
  const user =
    signIn.userId === undefined ? undefined : await findUser(deps.database.read, call.instanceId, signIn.userId);
  if (user?.kind !== "human") return undefined;
  const contact = kind === "otp_email" ? user.email.address : user.phone?.number;
  if (contact === undefined || contact === "") return undefined;
  return { recipient: mask(contact), wait: await findResendPause(deps, call, { signIn, kind }) };
}

const takeSecondFactor: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, steps } = flow;
  const kind = kindOf(form.get("by"));
  if (!isPossible("prove_second_factor", signIn.state) || kind === undefined || kind === "key") {
    return seeOther(pageOf(flow, signIn.state));
  }
  const typed = form.get("code");
  const code = isSent(kind) ? await readTypedCode(deps, visit, kind, typed) : readTyped(typed);
  const outcome = await proveSecondFactor(deps, visit.call, steps, { signIn, proof: { kind, code } });
  return redirectForOutcome(deps, flow, outcome, { by: kind });
};

/** Sends a code, and redirects to its input. */
const takeSending: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const kind = kindOf(form.get("by"));
  if (!isPossible("prove_second_factor", flow.signIn.state) || kind === undefined || !isSent(kind)) {
    return seeOther(pageOf(flow, flow.signIn.state));
  }
  // The error of the previous code does not concern the new one.
  const signIn = { ...flow.signIn, problem: undefined };
  const usable = await listUsable(deps, flow);
  if (usable.includes(kind)) await sendSecondFactorCode(deps, visit.call, flow.steps, { signIn, kind });
  return seeOther(inFlow(flow, path, { by: kind }));
};

/** `/ui/login/methods`: the alternatives; for a user without any, what helps. */
const showMethods: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, client } = flow;
  if (!isPossible("prove_second_factor", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  const met = await pageOfMetStepUp(deps, flow);
  if (met !== undefined) return seeOther(met);
  const usable = await listUsable(deps, flow);
  const methods = usable.map(
    (kind): Method =>
      isSent(kind) ? { kind, sendAction: inFlow(flow, sendPath) } : { kind, href: inFlow(flow, path, { by: kind }) },
  );
  const changeHref = inFlow(flow, "/ui/login", { account: "other" });
  const loginName = await shownNameOf(deps, flow);
  return show(deps, flow.visit, (context) => methodsPage(context, { client, loginName, changeHref, methods }));
};

async function listUsable(deps: PageDeps, { visit, signIn, steps }: Flow): Promise<readonly SecondFactorKind[]> {
  const { call } = visit;
  const user =
    signIn.userId === undefined ? undefined : await findUserScope(deps.database.read, call.instanceId, signIn.userId);
  if (user === undefined) return [];
  const { usable } = await listSecondFactorsAt(deps, call, { ...user, host: steps.host });
  // What cannot give an application what it insists on is not offered, unless there is nothing else.
  const missing = await findMissingContext(deps, call, steps, { ...user, factors: signIn.factors });
  const helpful = missing?.isEssential === true ? leadingTo(missing.level, usable) : usable;
  return helpful.length > 0 ? helpful : usable;
}

/** Returns the page for a step-up whose session has meanwhile gained the missing factor, in another tab. */
async function pageOfMetStepUp(deps: PageDeps, flow: Flow): Promise<Href | undefined> {
  if (hasFirstFactor(flow.signIn)) return undefined;
  const fitting = await listFittingSessions(deps, flow.visit.call, flow.steps);
  const session = fitting.find(({ userId }) => userId === flow.signIn.userId);
  return session && pageOfSession(flow, session);
}

/**
 * Returns the page of a step-up that has begun. A code is sent only when the user asks for it: the address of an
 * application must not be enough to send messages.
 */
export async function pageOfStepUp(deps: PageDeps, { visit }: Flow): Promise<Href> {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return pathTo("/ui/login");
  const [strongest] = await listUsable(deps, flow);
  return inFlow(flow, strongest !== undefined && isSent(strongest) ? methodsPath : path);
}

const kindOf = (name: string | null): SecondFactorKind | undefined => secondFactorKinds.find((kind) => kind === name);

const isSent = (kind: SecondFactorKind): kind is "otp_sms" | "otp_email" => kind === "otp_sms" || kind === "otp_email";

export const secondFactorPages: readonly PageAt[] = [
  { path, get: showSecondFactor, post: takeSecondFactor },
  { path: sendPath, post: takeSending, pageOfForm: path },
  { path: methodsPath, get: showMethods },
];
