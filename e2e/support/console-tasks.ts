import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import type { Browser } from "playwright-core";
import type { Ending } from "../../server/test/support/databases/databases.ts";
import type { TestServer } from "../../server/test/support/servers/server.ts";
import { type ConsoleServer, startConsole } from "./console.ts";
import { type ConsoleHand, restOf, withKeys, withMouse } from "./console-hand.ts";

const page = new URL("../../docs/console-tasks.md", import.meta.url);

/** The most clicks and keys that a task may take, by its title, as the documentation has them. */
export function writtenTasks(): ReadonlyMap<string, { readonly clicks: number; readonly keys: number }> {
  const rows = readFileSync(page, "utf8").matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|/gm);
  return new Map(
    Array.from(rows, ([, title = "", clicks, keys]) => [title, { clicks: Number(clicks), keys: Number(keys) }]),
  );
}

/** A console in which tasks are done. */
export interface TaskConsole {
  readonly console: ConsoleServer;
  readonly server: TestServer;
  /**
   * Does a task with each hand, and compares what it takes with the documentation. `work` prepares what the task is
   * about, with names of the hand's own, lets the hand begin, and asserts the effect by the API.
   */
  task(title: string, work: (hand: ConsoleHand, ending: Ending) => Promise<void>): Promise<void>;
}

/** Starts a server whose console is open in one browser, for tasks that are done one after the other. */
export async function startTasks(t: TestContext, browser: Browser): Promise<TaskConsole> {
  const console = await startConsole(t, browser);
  const { page, open } = await console.openAs(console.owner);
  const rest = restOf(page);
  const hands = [withMouse(page, rest), withKeys(page, rest)];
  const written = writtenTasks();
  // What the browser itself asks, such as whether a form with changes is left.
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.accept();
  });
  await open("/");
  return {
    console,
    server: console.server,
    task: (title, work) =>
      t.test(title, async (subtest) => {
        const counts: number[] = [];
        for (const hand of hands) {
          // Answers of the server and of the browser are compared by their times.
          console.server.clock.now = Date.now();
          await work(hand, subtest);
          await hand.rests();
          assert.deepEqual(asked.splice(0), []);
          counts.push(hand.count());
        }
        const [clicks, keys] = counts;
        assert.deepEqual(
          { clicks, keys },
          written.get(title),
          `docs/console-tasks.md: | ${title} | ${clicks} | ${keys} |`,
        );
      }),
  };
}

/** A name of this hand's own, which begins with two letters that the names of the other hand do not. */
export const nameOf = ({ name }: ConsoleHand, text: string): string => `${name === "mouse" ? "mo" : "ke"}${text}`;

/** Waits for a page by its title. */
export const titled = ({ page }: ConsoleHand, name: string): Promise<void> =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

/** Calls a method of the API as the owner of the instance. */
export async function call(server: TestServer, method: string, body: object) {
  const answer = await server.connect(`service.${method}`, body);
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
