import { findOtpEnrolment, type OtpEnrolment, type SentFactor } from "../../../domain/factor/index.ts";
import {
  confirmFirstCode,
  isPossible,
  listAddableFactors,
  sendFirstCode,
  stay,
} from "../../../domain/sign-in/index.ts";
import { findUser } from "../../../domain/user/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { mask } from "../../parts/mask.ts";
import { sentFactorOf } from "../../parts/sent-factor.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { PageAt, PageHandler } from "../../visit/handlers.ts";
import { errorsOf, type Flow, findFlow, inFlow, isFlow, pageOf } from "../flow/flow.ts";
import { readTypedCode } from "../flow/typed-code.ts";
import { commonOf, orSay, redirectWithCodes, sayAtChoice, setsUp, setUpPath } from "./set-up-factor.ts";
import { addFactorPage } from "./view.ts";

const path = `${setUpPath}/code`;
const sendPath = `${path}/send`;

/** Sends the code that enables the factor, and redirects to its input. */
export async function sendCode(deps: PageDeps, flow: Flow, kind: SentFactor): Promise<WebResponse> {
  const { visit, steps, signIn } = flow;
  await sendFirstCode(deps, visit.call, steps, { signIn, kind });
  return seeOther(inFlow(flow, path, { kind }));
}

/**
 * `/ui/login/add-factor/code`: the code that was sent, which proves that codes arrive. Redirects to the choice when
 * none is pending.
 */
const showCode: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, steps } = flow;
  if (!isPossible("set_up_second_factor", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  const kind = sentFactorOf(visit.query.get("kind"));
  const addable = await listAddableFactors(deps, visit.call, steps, signIn);
  const sent = kind !== undefined && addable.includes(kind) ? await findSent(deps, flow, kind) : undefined;
  if (kind === undefined || sent === undefined) return seeOther(inFlow(flow, setUpPath));
  const common = await commonOf(deps, flow);
  return show(deps, flow.visit, (context) =>
    addFactorPage(context, {
      ...common,
      step: "code",
      kind,
      action: inFlow(flow, path, { kind }),
      recipient: mask(sent.recipient),
      resend: { action: inFlow(flow, sendPath, { kind }), wait: sent.wait },
      backHref: inFlow(flow, setUpPath),
      errors: errorsOf(deps, context, flow, ["code"]),
    }),
  );
};

const takeCode = setsUp(async (deps, flow, form) => {
  const { visit, steps, signIn } = flow;
  const kind = sentFactorOf(visit.query.get("kind"));
  if (kind === undefined) return seeOther(inFlow(flow, setUpPath));
  const code = await readTypedCode(deps, visit, kind, form.get("code"));
  return orSay(deps, flow, async () => {
    const outcome = await confirmFirstCode(deps, visit.call, steps, { signIn, kind, code });
    if (outcome.outcome !== "refused") return redirectWithCodes(deps, flow, outcome);
    const { problem } = outcome;
    // No code is pending now, for example because the address has changed, so there is no page to show the error on.
    if ((await findSent(deps, flow, kind)) === undefined) return sayAtChoice(deps, flow, { ...problem, values: {} });
    await stay(deps, visit.call, steps, { signIn, problem });
    return seeOther(inFlow(flow, path, { kind }));
  });
});

const takeSending = setsUp(async (deps, flow) => {
  const kind = sentFactorOf(flow.visit.query.get("kind"));
  if (kind === undefined) return seeOther(inFlow(flow, setUpPath));
  return orSay(deps, flow, () => sendCode(deps, flow, kind));
});

async function findSent(deps: PageDeps, { visit, signIn }: Flow, kind: SentFactor): Promise<OtpEnrolment | undefined> {
  const { read } = deps.database;
  const { call } = visit;
  const user = signIn.userId === undefined ? undefined : await findUser(read, call.instanceId, signIn.userId);
  return user?.kind === "human" ? findOtpEnrolment(read, call, { user, kind }) : undefined;
}

export const addFactorCodePages: readonly PageAt[] = [
  { path, get: showCode, post: takeCode },
  { path: sendPath, post: takeSending, pageOfForm: path },
];
