// The process that makes the load: apart from the servers, so that it does not use up their core. Gets one order,
// answers with one result.
import process from "node:process";
import type { Target } from "../scenario/scenario.ts";
import { scenarioOf } from "../scenario/scenarios.ts";
import { type LoadOrder, type LoadResult, runLoad } from "./run-load.ts";

export type ToLoad = { readonly order: LoadOrder; readonly scenario: string; readonly target: Target } | "go on";
export type FromLoad = "begin" | "end" | { readonly result: LoadResult } | { readonly error: string };

const messages: ToLoad[] = [];
let wake = Promise.withResolvers<void>();
process.on("message", (message: ToLoad) => {
  messages.push(message);
  wake.resolve();
});

async function receive(): Promise<ToLoad> {
  while (messages.length === 0) await wake.promise;
  wake = Promise.withResolvers<void>();
  return messages.shift() as ToLoad;
}

const tell = (message: FromLoad): void => void process.send?.(message);

async function mark(name: "begin" | "end"): Promise<void> {
  tell(name);
  await receive();
}

async function main(): Promise<void> {
  const message = await receive();
  if (message === "go on") throw new Error("no order");
  const { order, scenario, target } = message;
  const { prepare } = scenarioOf(target, scenario);
  const marks = { begin: () => mark("begin"), end: () => mark("end") };
  tell({ result: await runLoad(order, prepare, marks) });
}

try {
  await main();
} catch (error) {
  tell({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
process.disconnect?.();
