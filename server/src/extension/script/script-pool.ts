import { availableParallelism } from "node:os";
import { QueueFull } from "../../base/budget/semaphore.ts";
import { lazy } from "../../base/lazy.ts";
import { compileInterpreter } from "./compile-interpreter.ts";
import { type ComputingTurn, createComputingTurns } from "./computing-turns.ts";
import type { RunOutcome, RunRequest } from "./protocol.ts";
import type { ScriptOwner } from "./script-owner.ts";
import { createSeats, type Seat } from "./seats.ts";
import { type AnswerQuestion, ScriptThread } from "./thread.ts";

/** Runs scripts in threads of their own, so that no script keeps the process or another tenant waiting. */
export interface ScriptPool {
  /** What went wrong is in the outcome; rejects only where there is no interpreter. */
  run(whose: ScriptOwner, request: PoolRequest, answer: AnswerQuestion): Promise<RunOutcome>;
}

/** A run whose turn comes after a while. */
export interface PoolRequest extends Omit<RunRequest, "tenant"> {
  /** In how many milliseconds it ends, with what it waits for its turn; its timeout begins after that. */
  readonly within?: number;
}

/** How many threads there are; how many of them an instance has at a time, and an organization. */
const room = { permits: 12, shares: [8, 3] } as const;
const longestIdle = 30_000;

/** How long a run waits for its turn to begin. */
const longestWait = 10_000;

/** Creates the threads of a process; the first one starts with the first script. */
export function createScriptPool(): ScriptPool {
  const seats = createSeats(room);
  const computing = createComputingTurns(Math.max(4, availableParallelism()));
  const threads = createThreads();

  return {
    run: async (whose, { within = Number.POSITIVE_INFINITY, ...request }, answer) => {
      const asked = performance.now();
      let until = asked + Math.min(longestWait, within);
      const left = (): number => Math.max(1, until - performance.now());
      let seat: Seat | undefined;
      let thread: ScriptThread | undefined;
      let turn: ComputingTurn | undefined;
      try {
        seat = await seats.take(whose, left());
        const tenant = `${whose.instanceId}\n${whose.organizationId}`;
        const taken = await threads.take(tenant);
        thread = taken;
        await taken.ready;
        const displace = (): void => taken.end("displaced");
        const own = computing.begin(whose, displace);
        turn = own;
        seat.begin(displace);
        await Promise.race([own.enter(left()), taken.ended]);
        // From now on, what it waits for is part of its time.
        until = Math.min(performance.now() + request.timeout, asked + within);
        const bounded = { ...request, tenant, timeout: left() };
        return await taken.run(bounded, async (...question) => {
          own.leave();
          try {
            return await answer(...question);
          } finally {
            await own.enter(left()).catch(() => taken.end("too_many"));
          }
        });
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        return { failure: "too_many", logs: [], milliseconds: 0 };
      } finally {
        turn?.end();
        if (thread !== undefined) threads.giveBack(thread);
        seat?.leave();
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
