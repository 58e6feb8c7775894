import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Target } from "../scenario/scenario.ts";
import type { FromLoad, ToLoad } from "./main.ts";
import type { LoadOrder, LoadResult, Marks } from "./run-load.ts";

/** Runs a scenario against a server, from a process of its own. */
export async function makeLoad(
  order: LoadOrder,
  scenario: string,
  target: Target,
  marks: { begin(): void; end(): void },
  pin: (pid: number) => void = () => undefined,
): Promise<LoadResult> {
  const child = fork(new URL("./main.ts", import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const exited = once(child, "exit");
  if (child.pid !== undefined) pin(child.pid);
  try {
    return await converse(child, { order, scenario, target }, marks);
  } finally {
    child.kill();
    await exited;
  }
}

function converse(
  child: ChildProcess,
  order: Exclude<ToLoad, string>,
  marks: { [Name in keyof Marks]: () => void },
): Promise<LoadResult> {
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
  child.on("message", (message: FromLoad) => {
    if (message === "begin" || message === "end") {
      marks[message]();
      child.send("go on" satisfies ToLoad);
    } else if ("result" in message) resolve(message.result);
    else reject(new Error(message.error));
  });
  child.on("error", reject);
  child.on("exit", () => reject(new Error("the process that makes the load ended early")));
  child.send(order);
  return promise;
}
