import { seconds } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { parseJson } from "../../base/json.ts";
import type { Outbound } from "../../base/outbound/index.ts";
import type { Call } from "../../call/index.ts";
import type { QuotaMeter } from "../../domain/quota/index.ts";
import type { Script, ScriptDirectory, TriggerPoint } from "../../domain/script/index.ts";
import { createFetchAnswers } from "./answer-fetch.ts";
import { rememberAnswers } from "./answers.ts";
import { type Effects, InvalidEffects, readEffects } from "./effects.ts";
import type { ContextKind, RunOutcome } from "./protocol.ts";
import type { ScriptLog } from "./script-log.ts";
import type { ScriptPool } from "./script-pool.ts";

export interface RunScriptsDeps {
  readonly scripts: ScriptDirectory;
  readonly scriptPool: ScriptPool;
  readonly outbound: Outbound;
  /** The namespace words under which modules can be required. */
  readonly words: readonly string[];
  readonly scriptLog: ScriptLog;
  /** Counts how long scripts run, and says when an organization has used that up. */
  readonly quotaMeter: Pick<QuotaMeter, "hasRunTime" | "addRunTime">;
}

/** What a script is run for. */
export interface ScriptStep {
  readonly organizationId: string;
  readonly point: TriggerPoint;
  readonly kind: ContextKind;
  /** Whether a script counts here at all. */
  readonly counts?: (script: Script) => boolean;
  /** Returns what `ctx` is made of, when its turn comes. */
  readonly inputOf: (script: Script) => object;
  /** Answers the questions of a script, besides its requests to other servers. Returns JSON. */
  readonly answer?: (script: Script, question: string, argument: unknown) => Promise<object>;
  /** Receives what a script asked for; throws InvalidEffects when that is impossible. */
  readonly take: (script: Script, effects: Effects) => void | Promise<void>;
}

/**
 * Runs the scripts of an organization at a trigger, one after the other. Throws the Fault `execution.failed` when one
 * fails that is not allowed to.
 */
export async function runScripts(deps: RunScriptsDeps, call: Call, step: ScriptStep): Promise<void> {
  const { organizationId, point, counts = () => true } = step;
  const scripts = await deps.scripts.list(call.instanceId, organizationId, point);
  const whose = { instanceId: call.instanceId, organizationId };
  const until = performance.now() + longestTogether;
  for (const script of scripts) {
    if (!counts(script)) continue;
    const outcome = await runMetered(deps, call, step, { script, within: Math.max(1, until - performance.now()) });
    const about = aboutRun(call, step, script);
    for (const { level, text } of outcome.logs) deps.scriptLog(whose, level, "a script wrote", { ...about, text });
    const failure = await takeOutcome(step, script, outcome);
    if (failure === undefined) continue;
    const milliseconds = Math.ceil(outcome.milliseconds);
    deps.scriptLog(whose, "warn", "a script failed", { ...about, ...failure, milliseconds });
    if (!script.isAllowedToFail) throw new Fault("failed_precondition", "execution.failed");
  }
}

const aboutRun = ({ requestId }: Call, { point }: ScriptStep, script: Script) => ({
  requestId,
  actionId: script.scriptId,
  action: script.name,
  flow: point.flow,
  trigger: point.trigger,
});

// Users wait for all scripts of a trigger.
const longestTogether = seconds(30);

/** A script, and in how many milliseconds it has to end. */
interface Due {
  readonly script: Script;
  readonly within: number;
}

/** Runs a script unless its organization used up its run time, and counts how long it ran, however it ended. */
async function runMetered(deps: RunScriptsDeps, call: Call, step: ScriptStep, due: Due): Promise<RunOutcome> {
  const { organizationId } = step;
  const hasRunTime = await deps.quotaMeter.hasRunTime(call, organizationId);
  if (!hasRunTime) return { failure: "run_time_used_up", logs: [], milliseconds: 0 };
  const outcome = await runOne(deps, call, step, due);
  await deps.quotaMeter.addRunTime(call, outcome.milliseconds, organizationId);
  return outcome;
}

function runOne(deps: RunScriptsDeps, call: Call, step: ScriptStep, { script, within }: Due): Promise<RunOutcome> {
  const { organizationId, kind } = step;
  const { timeout } = script;
  const fetchAnswers = createFetchAnswers(deps.outbound, { isForStranger: !script.trust.reachesPrivateNetworks });
  const answers = rememberAnswers(async (question, argument) => {
    if (step.answer === undefined) throw new Error("there is no answer");
    return JSON.stringify(await step.answer(script, question, parseJson(argument)));
  });
  const { name, script: source } = script;
  const input = JSON.stringify(step.inputOf(script));
  const request = { source, name, timeout, within, kind, input, words: deps.words };
  return deps.scriptPool.run(
    { instanceId: call.instanceId, organizationId },
    request,
    async (question, argument, signal) => {
      if (question === "fetch") return fetchAnswers(argument, signal, timeout);
      return answers(question, argument);
    },
  );
}

interface Failure {
  readonly failure: string;
  readonly detail?: string | undefined;
}

async function takeOutcome(
  { take }: ScriptStep,
  script: Script,
  { failure, message, result }: RunOutcome,
): Promise<Failure | undefined> {
  if (failure !== undefined || result === undefined) return { failure: failure ?? "broken", detail: message };
  try {
    await take(script, readEffects(result));
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidEffects)) throw error;
    return { failure: "result_invalid", detail: error.message };
  }
}
