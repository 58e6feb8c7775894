import release from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { systemRandom } from "../../base/random.ts";
import { preludeSource } from "./prelude.ts";
import type { Answer, LogLine, RunFailure, RunOutcome, RunRequest } from "./protocol.ts";
import { createUuid } from "./uuid.ts";

/** An interpreter of one tenant's scripts: each run gets a heap and globals of its own, and reaches nothing else. */
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
declare const WebAssembly: { Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object };

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
  let isSpent = false;
  return {
    run: (request, ask) => {
      const run = new Run(interpreter, request, ask);
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

/** One run of a script. */
class Run {
  readonly #request: RunRequest;
  readonly #ask: Ask;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #logs: LogLine[] = [];
  readonly #started = performance.now();
  readonly #handles: QuickJSHandle[] = [];
  #waited = 0;

  constructor(interpreter: QuickJSWASMModule, request: RunRequest, ask: Ask) {
    this.#request = request;
    this.#ask = ask;
    this.#runtime = interpreter.newRuntime();
    this.#runtime.setMaxStackSize(mostStack);
    this.#runtime.setInterruptHandler(() => this.#overdue() !== undefined);
    this.#context = this.#runtime.newContext();
  }

  /** How long the run has computed, in milliseconds. */
  get computed(): number {
    return performance.now() - this.#started - this.#waited;
  }

  perform(): RunOutcome {
    const outcome = this.#execute();
    for (const handle of this.#handles.toReversed()) if (handle.alive) handle.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
    return outcome;
  }

  end(
    failure: RunFailure | undefined,
    extra: { readonly message?: string; readonly result?: string } = {},
  ): RunOutcome {
    const milliseconds = performance.now() - this.#started;
    return { ...(failure && { failure }), ...extra, logs: this.#logs, milliseconds };
  }

  #execute(): RunOutcome {
    const { source, name } = this.#request;
    const context = this.#context;
    const start = this.#evaluate(preludeSource, "prelude.js");
    if ("failed" in start) return start.failed;
    const prepared = this.#call(start.handle, [this.#host(), this.#text(this.#configuration())]);
    if ("failed" in prepared) return prepared.failed;
    const loaded = this.#evaluate(source, "script.js");
    if ("failed" in loaded) return loaded.failed;
    // A name that is not an identifier is no function either.
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name)) return this.end("no_function");
    const found = this.#evaluate(`typeof ${name} === "function" ? ${name} : undefined`, "name.js");
    if ("failed" in found) return found.failed.failure === "threw" ? this.end("no_function") : found.failed;
    if (context.typeof(found.handle) !== "function") return this.end("no_function");
    const called = this.#call(this.#member(prepared.handle, "begin"), [found.handle]);
    if ("failed" in called) return called.failed;
    const settled = this.#settle();
    if (settled !== undefined) return settled;
    const ended = this.#call(this.#member(prepared.handle, "end"), []);
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
    while (this.#runtime.hasPendingJob()) {
      const result = this.#runtime.executePendingJobs(1_000);
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
    return { handle: this.#kept(result.value) };
  }

  #failed(error: QuickJSHandle): RunOutcome {
    this.#kept(error);
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

  #kept<Handle extends QuickJSHandle>(handle: Handle): Handle {
    this.#handles.push(handle);
    return handle;
  }

  #text(text: string): QuickJSHandle {
    return this.#kept(this.#context.newString(text));
  }

  #member(object: QuickJSHandle, name: string): QuickJSHandle {
    return this.#kept(this.#context.getProp(object, name));
  }

  /** What the prelude gets: it is the only part of the interpreter that reaches beyond it. */
  #host(): QuickJSHandle {
    const context = this.#context;
    const host = this.#kept(context.newObject());
    const add = (name: string, work: (...texts: string[]) => string): void => {
      const handle = context.newFunction(name, (...given) =>
        context.newString(work(...given.map((each) => context.getString(each)))),
      );
      context.setProp(host, name, this.#kept(handle));
    };
    add("ask", (kind = "", argument = "") => this.#answer(kind, argument));
    add("log", (level = "", text = "") => this.#log(level, text));
    add("uuid", (version = "", namespace = "", data = "") => createUuid(systemRandom, version, namespace, data));
    return host;
  }

  #answer(kind: string, argument: string): string {
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

  #log(level: string, text: string): string {
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
