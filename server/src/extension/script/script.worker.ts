import { setPriority } from "node:os";
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { type Answer, type FromThread, mostTenants, type RunRequest } from "./protocol.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

// Runs scripts one after another. A script waits for an answer by blocking this thread, and no other.

interface Given {
  readonly wasmModule: object;
  /** Set to 1 when there is an answer. */
  readonly signal: Int32Array;
  readonly answers: MessagePort;
}

const { wasmModule, signal, answers } = workerData as Given;
const tell = (message: FromThread): void => parentPort?.postMessage(message);

// On Linux this concerns the thread alone: the rest of the process answers requests first.
if (process.platform === "linux") {
  try {
    setPriority(0, 5);
  } catch {
    // A sandbox around the process may forbid it; nothing depends on it but the order.
  }
}

let questions = 0;

function ask(kind: string, argument: string, longestWait: number): Answer | undefined {
  const id = ++questions;
  const until = performance.now() + longestWait;
  tell({ question: { id, kind, argument } });
  for (;;) {
    const left = until - performance.now();
    if (left <= 0) return undefined;
    Atomics.wait(signal, 0, 0, left);
    Atomics.store(signal, 0, 0);
    for (
      let received = receiveMessageOnPort(answers);
      received !== undefined;
      received = receiveMessageOnPort(answers)
    ) {
      const answer = received.message as Answer;
      // An earlier question may be answered after its script has ended.
      if (answer.id === id) return answer;
    }
  }
}

// Most recent last: tenants take turns, and a new interpreter takes longer than most scripts.
const sandboxes = new Map<string, Sandbox>();
let spare: Promise<Sandbox> | undefined;

async function sandboxFor(tenant: string): Promise<Sandbox> {
  const former = sandboxes.get(tenant);
  sandboxes.delete(tenant);
  const sandbox = former === undefined || former.isSpent ? await (spare ?? createSandbox(wasmModule)) : former;
  if (sandbox !== former) spare = undefined;
  sandboxes.set(tenant, sandbox);
  const [oldest = ""] = sandboxes.keys();
  if (sandboxes.size > mostTenants) sandboxes.delete(oldest);
  return sandbox;
}

parentPort?.on("message", (request: RunRequest) => {
  void (async () => {
    const sandbox = await sandboxFor(request.tenant);
    const outcome = sandbox.run(request, ask);
    tell({ outcome });
    // For the next tenant, made while nothing waits for it.
    spare ??= createSandbox(wasmModule);
  })();
});

spare = createSandbox(wasmModule);
await spare;
tell("ready");
