import { Session } from "node:inspector";
import { performance } from "node:perf_hooks";

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

/**
 * A session within the process, which opens no port, is where V8 offers the collection that also closes holes. It is
 * closed afterwards: to close it in the callback would stop the process for good (Node.js 26).
 */
function collectGarbage(): void {
  const session = new Session();
  session.connect();
  session.post("HeapProfiler.collectGarbage", () => setImmediate(() => session.disconnect()));
}
