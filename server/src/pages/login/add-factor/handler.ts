import { Fault } from "../../../base/fault.ts";
import {
  addSecondFactor,
  hasSecondFactor,
  isPossible,
  listAddableFactors,
  type NewFactor,
  skipOfferedFactor,
  startSecondFactor,
} from "../../../domain/sign-in/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt, PageHandler } from "../../visit/handlers.ts";
import { readCredential } from "../../visit/read-credential.ts";
import { openTicket, sealTicket } from "../../visit/ticket.ts";
import { errorsOf, type Flow, findFlow, inFlow, isFlow, pageOf } from "../flow/flow.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import { readTyped } from "../flow/typed-code.ts";
import { sendCode } from "./code-handler.ts";
import { commonOf, orSay, redirectWithCodes, sayAtChoice, setsUp, setUpPath } from "./set-up-factor.ts";
import { addFactorPage } from "./view.ts";

const totpPath = `${setUpPath}/totp`;
const keyPath = `${setUpPath}/key`;
const skipPath = `${setUpPath}/skip`;

/** `/ui/login/add-factor`: a second factor that the organization requires or recommends. */
const showAddFactor: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, steps } = flow;
  if (!isPossible("set_up_second_factor", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  const action = inFlow(flow, setUpPath);
  const common = await commonOf(deps, flow);
  if (await hasSecondFactor(deps, visit.call, steps, signIn)) {
    return show(deps, flow.visit, (context) => addFactorPage(context, { ...common, step: "present", action }));
  }
  const kinds = await listAddableFactors(deps, visit.call, steps, signIn);
  return show(deps, flow.visit, (context) =>
    addFactorPage(context, {
      ...common,
      step: "choose",
      action,
      kinds,
      skipAction: isPossible("skip_second_factor", signIn.state) ? inFlow(flow, skipPath) : undefined,
      // Errors of a code are shown where it is entered.
      errors: signIn.problem?.field === "code" ? [] : errorsOf(deps, context, flow, []),
    }),
  );
};

/**
 * Starts with the chosen factor. The data for a key or an app is not stored, so the response is rendered immediately.
 */
const takeChoice = setsUp((deps, flow, form) => {
  const kind = form.get("kind");
  return orSay(deps, flow, async () => {
    switch (kind) {
      case "totp":
      case "key":
        return drawStarted(deps, flow, kind);
      case "otp_email":
      case "otp_sms":
        return sendCode(deps, flow, kind);
      default:
        return seeOther(pageOf(flow, flow.signIn.state));
    }
  });
});

async function drawStarted(deps: PageDeps, flow: Flow, kind: "totp" | "key"): Promise<WebResponse> {
  const { visit, steps, signIn } = flow;
  const started = await startSecondFactor(deps, visit.call, steps, { signIn, kind });
  if (started.kind === "totp") return drawTotp(deps, flow, started);
  const { credentialId, options } = started;
  const ticket = sealTicket(deps, visit, purposeOf(flow, "key"), { credentialId });
  const common = await commonOf(deps, flow);
  const model = { ...common, step: "key", action: inFlow(flow, keyPath), options, ticket } as const;
  const draw = { isAddressable: false };
  return show(deps, visit, (context) => addFactorPage(context, { ...model, backHref: inFlow(flow, setUpPath) }), draw);
}

interface TotpStart {
  readonly secret: string;
  readonly uri: string;
}

async function drawTotp(deps: PageDeps, flow: Flow, { secret, uri }: TotpStart, problem?: Fault): Promise<WebResponse> {
  const { visit } = flow;
  const ticket = sealTicket(deps, visit, purposeOf(flow, "totp"), { secret, uri });
  const common = await commonOf(deps, flow);
  const model = { ...common, step: "totp", action: inFlow(flow, totpPath), totp: { secret, uri } } as const;
  return show(
    deps,
    visit,
    (context) => {
      const message = problem && deps.texts.translate(context.language, `fault.${problem.id}`, problem.values);
      const errors = message === undefined ? [] : [{ field: "code", message } as const];
      return addFactorPage(context, { ...model, ticket, backHref: inFlow(flow, setUpPath), errors });
    },
    { isAddressable: false },
  );
}

const takeTotp = setsUp(async (deps, flow, form) => {
  const { secret, uri } = openTicket(deps, flow.visit, purposeOf(flow, "totp"), form.get("ticket")) ?? {};
  if (typeof secret !== "string" || typeof uri !== "string") return seeOther(inFlow(flow, setUpPath));
  try {
    return await add(deps, flow, { kind: "totp", code: readTyped(form.get("code")) });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.field !== "code") return sayAtChoice(deps, flow, error);
    return drawTotp(deps, flow, { secret, uri }, error);
  }
});

const takeKey = setsUp(async (deps, flow, form) => {
  const { visit } = flow;
  const { credentialId } = openTicket(deps, visit, purposeOf(flow, "key"), form.get("ticket")) ?? {};
  const credential = readCredential(form.get("credential"));
  if (typeof credentialId !== "string" || credential === undefined) return seeOther(inFlow(flow, setUpPath));
  const name = deps.texts.translate(visit.call.language, "add_factor.key_name");
  return orSay(deps, flow, () => add(deps, flow, { kind: "key", credentialId, credential, name }));
});

const takeSkip: FormHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { signIn, steps } = flow;
  if (!isPossible("skip_second_factor", signIn.state)) return seeOther(pageOf(flow, signIn.state));
  return redirectForOutcome(deps, flow, await skipOfferedFactor(deps, visit.call, steps, signIn));
};

async function add(deps: PageDeps, flow: Flow, factor: NewFactor): Promise<WebResponse> {
  const { visit, steps, signIn } = flow;
  return redirectWithCodes(deps, flow, await addSecondFactor(deps, visit.call, steps, { signIn, factor }));
}

const purposeOf = ({ signIn }: Flow, kind: string): string =>
  `add_factor/${kind}/${signIn.attemptId ?? ""}/${signIn.userId ?? ""}`;

export const addFactorPages: readonly PageAt[] = [
  { path: setUpPath, get: showAddFactor, post: takeChoice },
  { path: totpPath, post: takeTotp, pageOfForm: setUpPath },
  { path: keyPath, post: takeKey, pageOfForm: setUpPath },
  { path: skipPath, post: takeSkip, pageOfForm: setUpPath },
];
