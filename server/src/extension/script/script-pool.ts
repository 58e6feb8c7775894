import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createFairTurns } from "../../base/budget/fair-turns.ts";
import { QueueFull } from "../../base/budget/semaphore.ts";
import { lazy } from "../../base/lazy.ts";
import type { RunOutcome, RunRequest } from "./protocol.ts";
import { type AnswerQuestion, ScriptThread } from "./thread.ts";

/** Runs scripts in threads of their own, so that no script keeps the process or another tenant waiting. */
export interface ScriptPool {
  /** Never rejects: what went wrong is in the outcome. */
  run(whose: ScriptOwner, request: Omit<RunRequest, "tenant">, answer: AnswerQuestion): Promise<RunOutcome>;
}

interface ScriptOwner {
  readonly instanceId: string;
  readonly organizationId: string;
}

const permits = 12;
/** How many scripts of an instance, and of an organization, run at a time. */
const shares = [8, 3];
const queueLimits = [256, 64];
/** How long a tenant waits before the run of another is ended, and how long that one has had by then. */
const patience = 250;
const quantum = 1_000;
const longestIdle = 30_000;

interface Running {
  readonly whose: ScriptOwner;
  readonly thread: ScriptThread;
}

/** Creates the threads of a process; the first one starts with the first script. */
export function createScriptPool(): ScriptPool {
  const turns = createFairTurns({ permits, shares, queueLimits, queueLimit: 512 });
  const threads = createThreads();
  const running = new Set<Running>();

  // Under attack, what has had its share gives way: longest first, among those who hold most.
  const makeRoom = ({ instanceId, organizationId }: ScriptOwner): void => {
    const isOther = ({ whose }: Running): boolean =>
      whose.instanceId !== instanceId || whose.organizationId !== organizationId;
    const heldBy = (whose: ScriptOwner): number =>
      [...running].filter((each) => each.whose.organizationId === whose.organizationId).length;
    const [first] = [...running]
      .filter((each) => isOther(each) && each.thread.runningFor > quantum)
      .sort((a, b) => heldBy(b.whose) - heldBy(a.whose) || b.thread.runningFor - a.thread.runningFor);
    first?.thread.end("displaced");
  };

  const takeTurn = async (whose: ScriptOwner, longestWait: number): Promise<() => void> => {
    const taken = turns.take([whose.instanceId, whose.organizationId], longestWait);
    if (!(taken instanceof Promise)) return taken;
    const timer = setInterval(() => makeRoom(whose), patience);
    try {
      return await taken;
    } finally {
      clearInterval(timer);
    }
  };

  return {
    run: async (whose, request, answer) => {
      const asked = performance.now();
      let end: () => void;
      try {
        end = await takeTurn(whose, request.timeout);
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        return { failure: "too_many", logs: [], milliseconds: 0 };
      }
      const tenant = `${whose.instanceId}\n${whose.organizationId}`;
      const thread = await threads.take(tenant);
      const entry = { whose, thread };
      running.add(entry);
      try {
        // What the turn was waited for is part of the time.
        const timeout = Math.max(1, request.timeout - (performance.now() - asked));
        return await thread.run({ ...request, tenant, timeout }, answer);
      } finally {
        running.delete(entry);
        threads.giveBack(thread);
        end();
      }
    },
  };
}

function createThreads() {
  const idle = new Map<ScriptThread, NodeJS.Timeout>();
  const wasmModule = lazy(compileInterpreter);
  return {
    /** Returns a thread that has an interpreter of the tenant, if there is one. */
    take: async (tenant: string): Promise<ScriptThread> => {
      const module = await wasmModule();
      const rested = [...idle.keys()].filter(({ isEnded }) => !isEnded);
      const found = rested.find(({ tenants }) => tenants.has(tenant)) ?? rested.at(-1);
      if (found === undefined) return new ScriptThread(module);
      clearTimeout(idle.get(found));
      idle.delete(found);
      return found;
    },
    giveBack: (thread: ScriptThread): void => {
      if (thread.isEnded) return;
      const timer = setTimeout(() => {
        idle.delete(thread);
        thread.end("displaced");
      }, longestIdle);
      timer.unref();
      idle.set(thread, timer);
    },
  };
}

// The types of Node.js lack it.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

// Compiled once: threads share the code, also what was made faster by running often.
async function compileInterpreter(): Promise<object> {
  const file = fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
  return WebAssembly.compile(await readFile(file));
}
