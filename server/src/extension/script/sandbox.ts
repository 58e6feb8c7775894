import release from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { systemRandom } from "../../base/random.ts";
import { takeSnapshot } from "./memory-snapshot.ts";
import { preludeSource } from "./prelude.ts";
import type { Answer, LogLine, RunFailure, RunOutcome, RunRequest } from "./protocol.ts";
import { createUuid } from "./uuid.ts";

/**
 * An interpreter of one tenant's scripts. Each run begins with the same heap and globals, and reaches nothing else:
 * what it made is gone before the next one.
 */
export interface Sandbox {
  run(request: RunRequest, ask: Ask): RunOutcome;
  /** Whether a run left it in a state that is not known. */
  readonly isSpent: boolean;
}

/** Waits for the answer to a question, at most that many milliseconds. */
type Ask = (kind: string, argument: string, longestWait: number) => Answer | undefined;

// Its types describe the package for `require`, where the variant is a property.
const variant = release as unknown as QuickJSSyncVariant;

// The types of Node.js lack it.
declare const WebAssembly: {
  Memory: new (pages: { readonly initial: number; readonly maximum: number }) => { readonly buffer: ArrayBuffer };
};

/** The interpreter's own measure counts only how many pieces there are, so the memory itself cannot grow: 16 MiB. */
const pagesOfMemory = 256;
const mostStack = 256 * 1024;
/** How long a run may compute, in milliseconds, besides waiting for answers. */
const mostComputing = 2_000;
/** After how long a run the sandbox is not used again. */
const longestKept = 50;
const mostLogs = 50;
const longestLog = 1_000;
const longestMessage = 500;
const longestResult = 262_144;
/** In characters: ids, and a request with its body of 64 KiB and its headers, as JSON. */
const longestArgument = 1_024;
const longestRequest = 786_432;

/** Creates a sandbox with its own copy of the interpreter. */
export async function createSandbox(wasmModule: object): Promise<Sandbox> {
  const wasmMemory = new WebAssembly.Memory({ initial: pagesOfMemory, maximum: pagesOfMemory });
  const options = { wasmModule, wasmMemory } as Parameters<typeof newVariant>[1];
  const interpreter = await newQuickJSWASMModuleFromVariant(newVariant(variant, options));
  let current: Run | undefined;
  const base = prepare(interpreter.newRuntime(), () => current);
  // To make all of it again takes ten times as long as a script that does nothing.
  const setBack = takeSnapshot(wasmMemory.buffer);
  let isSpent = false;
  return {
    run: (request, ask) => {
      setBack();
      const run = new Run(base, request, ask);
      current = run;
      try {
        const outcome = run.perform();
        // What computed for long may have filled the memory, which is kept for as long as the sandbox.
        isSpent = run.computed > longestKept;
        return outcome;
      } catch {
        // The stack of the interpreter was unwound by the stack of the thread: nothing in it can be trusted.
        isSpent = true;
        return run.end("broken");
      }
    },
    get isSpent() {
      return isSpent;
    },
  };
}

/** What every run begins with. */
interface Base {
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  /** The function of the prelude that begins a run. */
  readonly start: QuickJSHandle;
  /** What the prelude gets: it is the only part of the interpreter that reaches beyond it. */
  readonly host: QuickJSHandle;
}

/** The functions of the host are those of whichever run there is. */
function prepare(runtime: QuickJSRuntime, current: () => Run | undefined): Base {
  runtime.setMaxStackSize(mostStack);
  runtime.setInterruptHandler(() => current()?.isOverdue === true);
  const context = runtime.newContext();
  const start = context.unwrapResult(context.evalCode(preludeSource, "prelude.js"));
  const host = context.newObject();
  const add = (name: string, work: (run: Run, ...texts: string[]) => string): void => {
    const handle = context.newFunction(name, (...given) => {
      const run = current();
      if (run === undefined) throw new Error("there is no run");
      return context.newString(work(run, ...given.map((each) => context.getString(each))));
    });
    context.setProp(host, name, handle);
  };
  add("ask", (run, kind = "", argument = "") => run.answer(kind, argument));
  add("log", (run, level = "", text = "") => run.log(level, text));
  add("uuid", (_run, version = "", namespace = "", data = "") => createUuid(systemRandom, version, namespace, data));
  // The numbers of the interpreter itself would be the same in every run.
  add("random", () => String(systemRandom(6).readUIntBE(0, 6) / 2 ** 48));
  return { runtime, context, start, host };
}

/** One run of a script. */
class Run {
  readonly #base: Base;
  readonly #request: RunRequest;
  readonly #ask: Ask;
  readonly #context: QuickJSContext;
  readonly #logs: LogLine[] = [];
  readonly #started = performance.now();
  #waited = 0;

  constructor(base: Base, request: RunRequest, ask: Ask) {
    this.#base = base;
    this.#request = request;
    this.#ask = ask;
    this.#context = base.context;
  }

  /** How long the run has computed, in milliseconds. */
  get computed(): number {
    return performance.now() - this.#started - this.#waited;
  }

  get isOverdue(): boolean {
    return this.#overdue() !== undefined;
  }

  end(
    failure: RunFailure | undefined,
    extra: { readonly message?: string; readonly result?: string } = {},
  ): RunOutcome {
    const milliseconds = performance.now() - this.#started;
    return { ...(failure && { failure }), ...extra, logs: this.#logs, milliseconds };
  }

  /** Nothing that it makes in the interpreter is disposed of: the memory is set back before the next run. */
  perform(): RunOutcome {
    const { source, name } = this.#request;
    const { start, host } = this.#base;
    const context = this.#context;
    const prepared = this.#call(start, [host, context.newString(this.#configuration())]);
    if ("failed" in prepared) return prepared.failed;
    const loaded = this.#evaluate(source, "script.js");
    if ("failed" in loaded) return loaded.failed;
    // A name that is not an identifier is no function either.
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name)) return this.end("no_function");
    const found = this.#evaluate(`typeof ${name} === "function" ? ${name} : undefined`, "name.js");
    if ("failed" in found) return found.failed.failure === "threw" ? this.end("no_function") : found.failed;
    if (context.typeof(found.handle) !== "function") return this.end("no_function");
    const called = this.#call(context.getProp(prepared.handle, "begin"), [found.handle]);
    if ("failed" in called) return called.failed;
    const settled = this.#settle();
    if (settled !== undefined) return settled;
    const ended = this.#call(context.getProp(prepared.handle, "end"), []);
    if ("failed" in ended) return ended.failed;
    const result = context.getString(ended.handle);
    return result.length > longestResult ? this.end("result_too_large") : this.end(undefined, { result });
  }

  #configuration(): string {
    const { kind, input, words } = this.#request;
    return `{"kind":${JSON.stringify(kind)},"words":${JSON.stringify(words)},"input":${input}}`;
  }

  // Runs what waits for promises; answers block, so nothing is left to wait for afterwards.
  #settle(): RunOutcome | undefined {
    const { runtime } = this.#base;
    while (runtime.hasPendingJob()) {
      const result = runtime.executePendingJobs(1_000);
      if (result.error !== undefined) return this.#failed(result.error);
      result.dispose();
      const overdue = this.#overdue();
      if (overdue !== undefined) return this.end(overdue);
    }
    return undefined;
  }

  #evaluate(code: string, file: string) {
    return this.#taken(this.#context.evalCode(code, file));
  }

  #call(callee: QuickJSHandle, given: QuickJSHandle[]) {
    return this.#taken(this.#context.callFunction(callee, this.#context.undefined, ...given));
  }

  #taken(
    result: ReturnType<QuickJSContext["evalCode"]>,
  ): { readonly handle: QuickJSHandle } | { readonly failed: RunOutcome } {
    if (result.error !== undefined) return { failed: this.#failed(result.error) };
    return { handle: result.value };
  }

  #failed(error: QuickJSHandle): RunOutcome {
    const overdue = this.#overdue();
    if (overdue !== undefined) return this.end(overdue);
    const thrown: unknown = this.#context.dump(error);
    const message = describeError(thrown);
    // Without memory there is no error either.
    const isFull = thrown === null || message.startsWith("InternalError: out of memory");
    if (isFull) return this.end("out_of_memory");
    return this.end("threw", { message: message.slice(0, longestMessage) });
  }

  #overdue(): "timeout" | "computed_too_long" | undefined {
    const passed = performance.now() - this.#started;
    if (passed > this.#request.timeout) return "timeout";
    return this.computed > mostComputing ? "computed_too_long" : undefined;
  }

  answer(kind: string, argument: string): string {
    // Beyond here it would be in the heap of the process.
    if (argument.length > (kind === "fetch" ? longestRequest : longestArgument)) throw new Error("it is too long");
    const asked = performance.now();
    const left = this.#request.timeout - (asked - this.#started);
    const answer = this.#ask(kind, argument, left);
    this.#waited += performance.now() - asked;
    if (answer === undefined) throw new Error("timeout");
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value ?? "null";
  }

  log(level: string, text: string): string {
    if (this.#logs.length >= mostLogs) return "";
    const known = level === "debug" || level === "warn" || level === "error" ? level : "info";
    this.#logs.push({ level: known, text: text.slice(0, longestLog) });
    return "";
  }
}

// What was thrown can be anything.
function describeError(thrown: unknown): string {
  if (typeof thrown === "object" && thrown !== null && "message" in thrown) {
    const name = "name" in thrown && typeof thrown.name === "string" ? `${thrown.name}: ` : "";
    return `${name}${String(thrown.message)}`;
  }
  return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? "undefined");
}
