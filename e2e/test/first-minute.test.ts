import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { freePort } from "../../server/test/support/http/free-port.ts";
import { browserTest } from "../support/browser.ts";

const root = resolve(import.meta.dirname, "../..");
const longest = 30_000;

/** The lines of the README's first 60 seconds that are typed into a terminal. */
function typedLines(): string[] {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const chapter = readme.split("\n## ").find((part) => part.startsWith("The first 60 seconds")) ?? "";
  return Array.from(chapter.matchAll(/```sh\n([\s\S]*?)```/g), ([, block = ""]) => block.trim().split("\n"))
    .flat()
    .map((line) => line.trim());
}

/** A command of the README, running in the clone with a data directory and a port of its own. */
interface Running {
  /** The first group of the pattern, as soon as the command has printed it. */
  printed(pattern: RegExp): Promise<string>;
  /** Everything that it wrote to standard output, when it has ended well. */
  ended(): Promise<string>;
}

function runner(t: TestContext, port: number): (line: string) => Running {
  const directory = mkdtempSync(join(tmpdir(), "doorward-first-minute-"));
  const children: ChildProcess[] = [];
  t.after(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.pid === undefined) continue;
      const ended = new Promise((end) => child.once("close", end));
      // npm, its shell and the server: a terminal's Ctrl+C reaches all of them.
      process.kill(-child.pid, "SIGINT");
      await ended;
    }
    rmSync(directory, { recursive: true, force: true });
  });
  // Without a program that opens a browser; the test is the browser.
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(":");
  const env = {
    ...process.env,
    PATH: path,
    BROWSER: "true",
    DOORWARD_DATA_DIR: directory,
    DOORWARD_PORT: String(port),
    DOORWARD_OPERATIONS_LISTEN: "",
  };
  return (line) => {
    const child = spawn("sh", ["-c", line], { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    return follow(child, line);
  };
}

function follow(child: ChildProcess, line: string): Running {
  let [output, both] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    both += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    both += chunk.toString();
  });
  const closed = new Promise<number | null>((end) => child.once("close", end));
  return {
    printed: async (pattern) => {
      const deadline = performance.now() + longest;
      for (;;) {
        const found = pattern.exec(both)?.[1];
        if (found !== undefined) return found;
        assert.ok(
          performance.now() < deadline && child.exitCode === null,
          `${line} did not print ${String(pattern)}:\n${both}`,
        );
        await new Promise((wait) => setTimeout(wait, 50));
      }
    },
    ended: async () => {
      assert.equal(await closed, 0, both);
      return output;
    },
  };
}

async function createAdministrator(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.fill('[autocomplete="given-name"]', "Ada");
  await page.fill('[autocomplete="family-name"]', "Lovelace");
  await page.fill('[autocomplete="email"]', "ada@example.com");
  await page.fill('[autocomplete="username"]', "ada");
  for (const field of await page.locator('[autocomplete="new-password"]').all())
    await field.fill("a long engine of 1843");
  await page.locator('button[type="submit"]').last().click();
  await page.waitForLoadState();
  assert.equal(await page.locator('[role="alert"]').count(), 0, await page.content());
}

browserTest("the README's first 60 seconds are literally true", async (t, browser) => {
  const [install = "", start = "", create = "", token = "", ...rest] = typedLines();
  assert.deepEqual([install, start, rest], ["npm ci", "npm start", []]);
  assert.ok(create.startsWith("npx doorward app create") && token.startsWith("npx doorward token"));
  const port = await freePort();
  const run = runner(t, port);
  const began = performance.now();
  const link = await run(start).printed(/(http:\/\/localhost:\d+\/ui\/setup#\S+)/);
  const page = await browser.newPage();
  t.after(() => page.close());
  await createAdministrator(page, link);

  assert.match(await run(create).ended(), /CLIENT_ID=\d+/);
  const signIn = run(token);
  await page.goto(await signIn.printed(/(http:\/\/localhost:\d+\/oauth\/v2\/authorize\S+)/));
  // The user who has just set up is signed in, and at most chooses the account.
  const account = page.locator("form button").first();
  if (new URL(page.url()).pathname.startsWith("/ui/login")) await account.click();
  const accessToken = (await signIn.ended()).trim().split("\n").at(-1) ?? "";
  const answer = await fetch(`http://localhost:${port}/oidc/v1/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  assert.equal(((await answer.json()) as { given_name?: string }).given_name, "Ada");
  const discovery = await fetch(`http://localhost:${port}/.well-known/openid-configuration`);
  assert.equal(((await discovery.json()) as { issuer: string }).issuer, `http://localhost:${port}`);
  assert.ok(performance.now() - began < 60_000, "it took longer than a minute");

  await page.goto(link);
  assert.equal(await page.locator('[autocomplete="new-password"]').count(), 0, "the link works twice");
});
