import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";

const app = new URL("../../src/app.ts", import.meta.url).href;

// Prints the address of every module that the composition root brings with it.
const lister = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
  await import(${JSON.stringify(app)});
  loaded.push(...process.moduleLoadList);
  console.log(JSON.stringify(loaded));
`;

test("a start loads nothing that waits for its first use", () => {
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", lister], { encoding: "utf8" });
  const loaded = JSON.parse(printed) as string[];
  assert.ok(loaded.length > 100, "the modules were not seen");
  assert.ok(loaded.includes("NativeModule http"), "the parts of Node were not seen");
  // Messages, Connect, the other engine, passwords, metrics of the process, the client behind fetch and WebSocket: each of them costs every server megabytes.
  const late =
    /\/@bufbuild\/|\/@connectrpc\/|\/api\/src\/service\/|\/server\/src\/api\/|\/pg\/|\/yaml\/|\/nodemailer\/|\/prom-client\/|undici|\/@node-rs\//;
  assert.deepEqual(
    loaded.filter((url) => late.test(url)),
    [],
  );
});
