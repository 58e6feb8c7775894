import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type CollectGarbage = (options: { type: "major"; flavor: "last-resort" }) => void;

const pause = 1000;
const tries = 60;
// Share of a pause in which the process worked: about what metrics and jobs take.
const idleShare = 0.05;

/**
 * Gives back once what loading the server left in memory, as soon as the process has been idle for a second: the heap
 * is full of holes then, and V8 closes them only under load. Collecting takes about a fifth of a second. A process that
 * has not been idle within a minute of its start needs that memory anyway, and is left alone.
 */
export function releaseMemoryWhenIdle(): void {
  let last = performance.eventLoopUtilization();
  let left = tries;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    left -= 1;
    if (utilization < idleShare) collectGarbage();
    if (utilization < idleShare || left === 0) clearInterval(timer);
  }, pause);
  timer.unref();
}

// V8 offers its collector only to contexts that are made while this flag is set.
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as CollectGarbage;
  setFlagsFromString("--no-expose-gc");
  collect({ type: "major", flavor: "last-resort" });
}
