import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { programFiles, startForeignProgram } from "../../server/test/support/servers/foreign-program.ts";
import { TestBrowser } from "../../server/test/support/sign-in/test-browser.ts";

const folder = join(import.meta.dirname, "../go-clients");
// Up to date programs are not linked again. What is compiled is in Go's own cache, for every checkout.
const built = join(import.meta.dirname, "../../node_modules/.cache/doorward-go-clients");

/** Programs of `zitadel/oidc`, as they are published (`go-clients/go.mod`), and one that uses `zitadel-go`. */
const packages = {
  api: "github.com/zitadel/oidc/v3/example/client/api",
  app: "github.com/zitadel/oidc/v3/example/client/app",
  device: "github.com/zitadel/oidc/v3/example/client/device",
  service: "github.com/zitadel/oidc/v3/example/client/service",
  sdk: "./sdk",
} as const;
type GoProgram = keyof typeof packages;

/** Why tests with clients in Go are skipped; `false` when they run. */
export function reasonWithoutGo(): string | false {
  return spawnSync("go", ["version"]).status === 0 ? false : "there is no Go here, which npm test does not install";
}

/**
 * Compiles programs, and returns where they are; a text says why that is impossible here. Throws when they do not
 * compile.
 */
export async function buildGoClients<Name extends GoProgram>(
  ...names: readonly Name[]
): Promise<Readonly<Record<Name, string>> | string> {
  // Neither debug information nor C is needed; both are most of the time that linking takes.
  const child = spawn(
    "go",
    ["build", "-trimpath", "-ldflags=-s -w", "-o", `${built}/`, ...names.map((name) => packages[name])],
    {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOWORK: "off", GOFLAGS: "-mod=readonly" },
    },
  );
  const [[code], said] = await Promise.all([once(child, "close"), text(child.stderr)]);
  const [, wanted] = /requires go >= ([\d.]+)/.exec(said) ?? [];
  if (wanted !== undefined) return `there is no Go ${wanted} here, which npm test does not install`;
  if (/dial tcp|i\/o timeout|TLS handshake|403 Forbidden/.test(said)) return "the modules of Go cannot be downloaded";
  if (code !== 0) throw new Error(`the clients in Go do not compile: ${said}`);
  return Object.fromEntries(names.map((name) => [name, join(built, name)])) as Record<Name, string>;
}

/** Starts a program that serves, and returns a browser on it. */
export async function serveGo(
  t: TestContext,
  program: string,
  given: { readonly port: number; readonly args?: readonly string[]; readonly env: Readonly<Record<string, string>> },
): Promise<TestBrowser> {
  const { directory } = programFiles("go-client");
  const { port, args: options = [], env } = given;
  await startForeignProgram(t, { command: program, options, directory, port, env });
  return new TestBrowser({ origin: `http://127.0.0.1:${port}` });
}

export interface GoRun {
  /** The next line of its output that matches. Throws with what it said when there is none. */
  line(pattern: RegExp): Promise<string>;
  /** Waits until it ends. Throws with what it said when that was no success. */
  end(): Promise<void>;
}

/** Runs a program; it ends with the test. */
export function runGo(
  t: TestContext,
  program: string,
  options: { readonly args?: readonly string[]; readonly env: Readonly<Record<string, string>> },
): GoRun {
  const child = spawn(program, options.args ?? [], { stdio: ["ignore", "pipe", "pipe"], env: options.env });
  t.after(() => stop(child));
  const ended = once(child, "close");
  const complaints = text(child.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const fail = async (): Promise<never> => {
    throw new Error(`${program}: ${await complaints}`);
  };
  return {
    line: async (pattern) => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) return fail();
        if (pattern.test(value)) return value;
      }
    },
    end: async () => {
      const [code] = await ended;
      if (code !== 0) await fail();
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill();
  await exited;
}
