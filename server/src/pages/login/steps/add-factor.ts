import { Fault } from "../../../base/fault.ts";
import {
  addSecondFactor,
  isPossible,
  listAddableFactors,
  type NewFactor,
  skipOfferedFactor,
  startSecondFactor,
  stay,
} from "../../../domain/sign-in/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt, PageHandler } from "../../visit/handlers.ts";
import { readCredential } from "../../visit/read-credential.ts";
import { openTicket, sealTicket } from "../../visit/ticket.ts";
import { addFactorPage } from "../views/add-factor.ts";
import { arrive } from "./arrive.ts";
import { errorsOf, type Flow, findFlow, inFlow, isFlow, pageOf } from "./flow.ts";
import { readTyped } from "./typed-code.ts";

const path = "/ui/login/add-factor";
const totpPath = `${path}/totp`;
const keyPath = `${path}/key`;
const skipPath = `${path}/skip`;

/** `/ui/login/add-factor`: a second factor, because the organization demands one, or because it suggests one. */
const showAddFactor: PageHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { at, steps } = flow;
  if (!isPossible("set_up_second_factor", at.state)) return seeOther(pageOf(flow, at.state));
  const kinds = await listAddableFactors(deps, visit.call, steps, at);
  return show(deps, flow.visit, (context) =>
    addFactorPage(context, {
      ...{ ...commonOf(flow), step: "choose", action: inFlow(flow, path), kinds },
      skipAction: isPossible("skip_second_factor", at.state) ? inFlow(flow, skipPath) : undefined,
      errors: errorsOf(deps, context, flow, []),
    }),
  );
};

/** Starts with the factor that was chosen. What it needs is stored nowhere, so the answer is drawn at once. */
const takeChoice: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { at } = flow;
  if (!isPossible("set_up_second_factor", at.state)) return seeOther(pageOf(flow, at.state));
  const kind = form.get("kind");
  return orSay(deps, flow, async () => {
    switch (kind) {
      case "totp":
      case "key":
        return drawStarted(deps, flow, kind);
      case "otp_email":
      case "otp_sms":
        return add(deps, flow, { kind });
      default:
        return seeOther(pageOf(flow, at.state));
    }
  });
};

async function drawStarted(deps: PageDeps, flow: Flow, kind: "totp" | "key"): Promise<WebResponse> {
  const { visit, steps, at } = flow;
  const started = await startSecondFactor(deps, visit.call, steps, { at, kind });
  if (started.kind === "totp") return drawTotp(deps, flow, started);
  const { credentialId, options } = started;
  const ticket = sealTicket(deps, visit, purposeOf(flow, "key"), { credentialId });
  const model = { ...commonOf(flow), step: "key", action: inFlow(flow, keyPath), options, ticket } as const;
  const draw = { isAddressable: false };
  return show(deps, visit, (context) => addFactorPage(context, { ...model, backHref: inFlow(flow, path) }), draw);
}

interface TotpStart {
  readonly secret: string;
  readonly uri: string;
}

function drawTotp(deps: PageDeps, flow: Flow, { secret, uri }: TotpStart, problem?: Fault): Promise<WebResponse> {
  const { visit } = flow;
  const ticket = sealTicket(deps, visit, purposeOf(flow, "totp"), { secret, uri });
  const model = { ...commonOf(flow), step: "totp", action: inFlow(flow, totpPath), totp: { secret, uri } } as const;
  return show(
    deps,
    visit,
    (context) => {
      const message = problem && deps.texts.translate(context.language, `fault.${problem.id}`, problem.values);
      const errors = message === undefined ? [] : [{ field: "code", message } as const];
      return addFactorPage(context, { ...model, ticket, backHref: inFlow(flow, path), errors });
    },
    { isAddressable: false },
  );
}

const takeTotp: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  if (!isPossible("set_up_second_factor", flow.at.state)) return seeOther(pageOf(flow, flow.at.state));
  const { secret, uri } = openTicket(deps, visit, purposeOf(flow, "totp"), form.get("ticket")) ?? {};
  if (typeof secret !== "string" || typeof uri !== "string") return seeOther(inFlow(flow, path));
  try {
    return await add(deps, flow, { kind: "totp", code: readTyped(form.get("code")) });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.field !== "code") return say(deps, flow, error);
    return drawTotp(deps, flow, { secret, uri }, error);
  }
};

const takeKey: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  if (!isPossible("set_up_second_factor", flow.at.state)) return seeOther(pageOf(flow, flow.at.state));
  const { credentialId } = openTicket(deps, visit, purposeOf(flow, "key"), form.get("ticket")) ?? {};
  const credential = readCredential(form.get("credential"));
  if (typeof credentialId !== "string" || credential === undefined) return seeOther(inFlow(flow, path));
  const name = deps.texts.translate(visit.call.language, "add_factor.key_name");
  return orSay(deps, flow, () => add(deps, flow, { kind: "key", credentialId, credential, name }));
};

const takeSkip: FormHandler = async (deps, visit) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const { at, steps } = flow;
  if (!isPossible("skip_second_factor", at.state)) return seeOther(pageOf(flow, at.state));
  return arrive(deps, flow, await skipOfferedFactor(deps, visit.call, steps, at));
};

async function add(deps: PageDeps, flow: Flow, factor: NewFactor): Promise<WebResponse> {
  const { visit, steps, at } = flow;
  return arrive(deps, flow, await addSecondFactor(deps, visit.call, steps, { at, factor }));
}

/** Says at the choice what stood in the way. */
async function orSay(deps: PageDeps, flow: Flow, work: () => Promise<WebResponse>): Promise<WebResponse> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return say(deps, flow, error);
  }
}

async function say(deps: PageDeps, flow: Flow, { id, values }: Fault): Promise<WebResponse> {
  const { visit, steps, at } = flow;
  return arrive(deps, flow, await stay(deps, visit.call, steps, { at, problem: { id, values } }));
}

const commonOf = (flow: Flow) => ({
  ...{ client: flow.client, loginName: flow.at.loginName },
  changeHref: inFlow(flow, "/ui/login", { account: "other" }),
});

const purposeOf = ({ at }: Flow, kind: string): string => `add_factor/${kind}/${at.wayId ?? ""}/${at.userId ?? ""}`;

export const addFactorPages: readonly PageAt[] = [
  { path, get: showAddFactor, post: takeChoice },
  { path: totpPath, post: takeTotp, pageOfForm: path },
  { path: keyPath, post: takeKey, pageOfForm: path },
  { path: skipPath, post: takeSkip, pageOfForm: path },
];
