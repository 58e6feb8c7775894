import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fetch } from "../support/http/fetch.ts";
import { makeDirectory, startServerProcess } from "../support/servers/command.ts";

const app = new URL("../../src/app.ts", import.meta.url).href;
const loadApp = new URL("../../src/cli/serve/load-app.ts", import.meta.url).href;

// Collects the address of every module that is loaded.
const listing = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
`;

// Prints the modules that the composition root brings with it.
const lister = `${listing}
  await import(${JSON.stringify(app)});
  loaded.push(...process.moduleLoadList);
  console.log(JSON.stringify(loaded));
`;

// Prints how many modules were loaded each time that Node was told to write its compile cache, and in the end.
const counter = `${listing}
  import module, { syncBuiltinESMExports } from "node:module";
  const counts = [];
  module.flushCompileCache = () => counts.push(loaded.length);
  syncBuiltinESMExports();
  const { loadApp } = await import(${JSON.stringify(loadApp)});
  await loadApp();
  console.log(JSON.stringify([...counts, loaded.length]));
`;

test("a start loads nothing that waits for its first use", () => {
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", lister], { encoding: "utf8" });
  const loaded = JSON.parse(printed) as string[];
  assert.ok(loaded.length > 100, "the modules were not seen");
  assert.ok(loaded.includes("NativeModule http"), "the parts of Node were not seen");
  // Messages, Connect, the other engine, passwords, metrics of the process, the client behind fetch and WebSocket: each
  // of them costs every server megabytes.
  const late =
    /\/@bufbuild\/|\/@connectrpc\/|\/api\/src\/service\/|\/server\/src\/api\/|\/pg\/|\/yaml\/|\/nodemailer\/|\/prom-client\/|undici|\/@node-rs\//;
  assert.deepEqual(
    loaded.filter((url) => late.test(url)),
    [],
  );
});

test("a start loads the server in stages, none of which has more than a quarter of the modules", () => {
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", counter], { encoding: "utf8" });
  const counts = JSON.parse(printed) as number[];
  const total = counts.at(-1) ?? 0;
  assert.ok(total > 1000, "the modules were not seen");
  const stages = counts.map((count, index) => count - (counts[index - 1] ?? 0));
  assert.ok(Math.max(...stages) <= total / 4, `modules of each stage: ${stages.join(", ")}`);
});

const isLinux = process.platform === "linux";

test("an idle server uses at most 2.7 times the memory of a bare Node.js", {
  skip: !isLinux && "needs /proc",
}, async (t) => {
  const directory = makeDirectory(t);
  const environment = {
    DOORWARD_MASTER_KEY: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64"),
  };
  const start = () => startServerProcess(t, ["start", "--data-dir", directory], { environment, isAlone: true });
  // What was changed since the last start is compiled now, which leaves the compiler in memory.
  await (await start()).stop();
  const server = await start();
  const bare = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "ignore" });
  const ended = once(bare, "exit");
  t.after(() => bare.kill() && ended);
  assert.equal((await fetch(`${server.origin}/ui/login`)).status, 200);
  // It gives back what the start left as soon as it has been idle for a second.
  await wait(5000);
  const [idle, unit] = [server.child.pid, bare.pid].map(residentMebibytes) as [number, number];
  assert.equal((await fetch(`${server.origin}/ui/login`)).status, 200, "it answers afterwards");
  t.diagnostic(`${idle.toFixed(1)} MiB, ${(idle / unit).toFixed(2)} times a bare Node.js`);
  assert.ok(idle <= 2.7 * unit, `${idle.toFixed(1)} MiB, a bare Node.js ${unit.toFixed(1)}`);
});

function residentMebibytes(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
