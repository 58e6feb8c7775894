import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogLine, RunOutcome } from "../../src/extension/script/protocol.ts";
import { createScriptPool } from "../../src/extension/script/script-pool.ts";

const pool = createScriptPool();
const owner = (organizationId = "one") => ({ instanceId: "instance", organizationId });

interface Options {
  readonly organizationId?: string;
  readonly timeout?: number;
  readonly answer?: (kind: string, argument: string) => Promise<string>;
}

/** Runs the body of a function of a script for a token. */
const run = (body: string, { organizationId, timeout = 5_000, answer }: Options = {}): Promise<RunOutcome> =>
  pool.run(
    owner(organizationId),
    {
      source: `async function probe(ctx, api) { ${body} }`,
      name: "probe",
      timeout,
      kind: "token",
      input: JSON.stringify({ claims: {}, user: {} }),
      words: ["service"],
    },
    answer ?? (async () => "{}"),
  );

const failureOf = async (body: string, options?: Options) => (await run(body, options)).failure;

/** Evaluates an expression in the sandbox. */
async function evaluate(expression: string, options?: Options): Promise<unknown> {
  const outcome = await run(`api.v1.claims.setClaim("value", ${expression});`, options);
  assert.equal(outcome.failure, undefined, outcome.message ?? "");
  return JSON.parse(outcome.result ?? "").claims[0].value;
}

test("a script finds nothing of the process, its files or the network", async () => {
  const names = "process require.cache module exports __dirname fetch XMLHttpRequest WebAssembly Buffer Deno std os";
  for (const name of names.split(" ")) {
    const kind = await evaluate(`(() => { try { return typeof ${name}; } catch { return "undefined"; } })()`);
    assert.equal(kind, "undefined", name);
  }
  for (const name of ["fs", "node:fs", "service/fs", "other/http", "service/__proto__", "service/constructor"]) {
    assert.equal(await failureOf(`require(${JSON.stringify(name)});`), "threw", name);
    assert.equal(await failureOf(`await import(${JSON.stringify(name)});`), "threw", name);
  }
  assert.equal(await evaluate(`[].constructor.constructor("return typeof process")()`), "undefined");
  // Current JavaScript.
  assert.deepEqual(await evaluate("[1, [2]].flat().map((n) => n ** 2).at(-1) ?? null"), 4);
});

test("nothing of one run is there in the next, of the same tenant or another", async () => {
  const poison = `globalThis.left = 1; Array.prototype.left = 1; JSON.parse = () => "left";
    Object.prototype.toJSON = () => "left"; globalThis.require = () => "left"; Promise.prototype.then = null;`;
  for (let count = 0; count < 3; count++) await run(poison);
  for (const organizationId of ["one", "two"]) {
    const found = `[typeof left, [].left ?? "none", JSON.parse("1"), typeof {}.toJSON, typeof require("service/log").log]`;
    assert.deepEqual(await evaluate(found, { organizationId }), ["undefined", "none", 1, "undefined", "function"]);
  }
});

test("every run has random numbers of its own, and the whole memory", async () => {
  const drawn: number[] = [];
  for (let count = 0; count < 4; count++) {
    const [first, second] = (await evaluate("[Math.random(), Math.random()]")) as [number, number];
    drawn.push(first, second);
    assert.equal(await evaluate("Object.keys(Math).length"), 0);
    // Twice would be too much.
    assert.equal(await failureOf("globalThis.kept = new Uint8Array(9 * 1024 * 1024).fill(1);"), undefined);
  }
  assert.equal(new Set(drawn).size, drawn.length, String(drawn));
  assert.ok(
    drawn.every((number) => number >= 0 && number < 1),
    String(drawn),
  );
});

test("a run ends by its limits, whatever the script does about it", async () => {
  const endless: readonly [body: string, failure: string, timeout?: number][] = [
    ["for (;;);", "computed_too_long"],
    ["for (;;);", "timeout", 300],
    ["try { for (;;); } catch {} finally { for (;;); }", "timeout", 300],
    ["for (;;) await null;", "timeout", 300],
    ["/(a+)+$/.test('a'.repeat(50) + 'b');", "timeout", 300],
    // Inside a function of the interpreter, which looks at no clock: its thread is ended.
    ["new Array(2 ** 31).join('a');", "timeout", 300],
  ];
  const ended = endless.map(([body, failure, timeout = 5_000], index) =>
    failureOf(body, { timeout, organizationId: `endless${index % 3}` }).then((found) =>
      assert.equal(found, failure, body),
    ),
  );
  await Promise.all(ended);
  for (const piece of ["'x'.repeat(1e6) + list.length", "new Uint8Array(1e6)", "{ a: 1 }", "new Array(1000).fill(1)"]) {
    const failure = await failureOf(`const list = []; for (;;) list.push(${piece});`);
    assert.ok(failure === "out_of_memory" || failure === "threw", `${piece}: ${failure}`);
  }
  assert.equal(await failureOf("new Uint8Array(64 * 1024 * 1024);"), "out_of_memory");
  assert.equal(await failureOf("(function deep() { deep(); })();"), "threw");
  const nested = await failureOf("let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; JSON.stringify(o);");
  assert.notEqual(nested, undefined, "too deep for the interpreter, or too long");
  assert.equal(await failureOf("api.v1.claims.setClaim('long', 'x'.repeat(300000));"), "result_too_large");
  assert.equal(await evaluate("1"), 1, "and the next one runs");
});

test("a script that throws says what, in a few words", async () => {
  assert.equal((await run("throw new TypeError('not so');")).message, "TypeError: not so");
  assert.equal((await run("throw { code: 1 };")).message, '{"code":1}');
  assert.equal((await run("throw undefined;")).failure, "threw");
  assert.equal((await run("throw new Error('x'.repeat(10000));")).message?.length, 500);
  assert.match((await run("}")).message ?? "", /^SyntaxError/);
  const wrong = { source: "1", timeout: 1000, kind: "token", input: "{}", words: [] } as const;
  for (const name of ["absent", "a b", "1); for (;;); (", "", "class"]) {
    const outcome = await pool.run(owner(), { ...wrong, name }, async () => "{}");
    assert.equal(outcome.failure, "no_function", name);
  }
});

test("a script waits for answers, which may fail; its lines of the log are limited", async () => {
  const answer = async (kind: string, argument: string): Promise<string> => {
    const { url } = JSON.parse(argument);
    if (url === "bad:") throw new Error("the request failed: target_refused");
    if (url === "slow:") await new Promise((resolve) => setTimeout(resolve, 2_000).unref());
    return JSON.stringify({ status: 200, body: JSON.stringify({ kind, url }) });
  };
  const fetch = (url: string) => `require("service/http").fetch("${url}")`;
  assert.deepEqual(await evaluate(`${fetch("good:")}.json()`, { answer }), { kind: "fetch", url: "good:" });
  const caught = `(() => { try { ${fetch("bad:")} } catch (error) { return error.message; } })()`;
  assert.equal(await evaluate(caught, { answer }), "the request failed: target_refused");
  assert.equal(await failureOf(`try { ${fetch("slow:")} } catch {}; for (;;);`, { answer, timeout: 300 }), "timeout");
  // What came too late is not the answer to what the next script asks.
  assert.deepEqual(await evaluate(`${fetch("good:")}.json().url`, { answer }), "good:");
  const { logs } = await run(`const log = require("service/log");
    log.warn("a", { b: 1 }); for (let i = 0; i < 100; i++) log.log("x".repeat(5000));`);
  assert.deepEqual(logs[0] satisfies LogLine | undefined, { level: "warn", text: 'a {"b":1}' });
  assert.deepEqual([logs.length, logs.at(-1)?.text.length], [50, 1000]);
});

test("uuids are those of RFC 9562", async () => {
  const uuid = `require("service/uuid")`;
  assert.equal(
    await evaluate(`${uuid}.v5(${uuid}.namespaceDNS, "www.example.com")`),
    "2ed6657d-e927-568b-95e1-2665a8aea6a2",
  );
  assert.equal(
    await evaluate(`${uuid}.v3(${uuid}.namespaceDNS, "www.example.com")`),
    "5df41881-3aed-3515-88a7-2f4a814cf09e",
  );
  assert.match(
    String(await evaluate(`${uuid}.v4()`)),
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test("scripts of some tenants do not keep another waiting, nor the process", async () => {
  await run("", { organizationId: "good" });
  const hostile = ["a", "b", "c", "d", "e"].flatMap((organizationId) =>
    Array.from({ length: 4 }, () => failureOf("for (;;);", { organizationId, timeout: 4_000 })),
  );
  const started = performance.now();
  let longestPause = 0;
  for (let last = started; last - started < 300; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    longestPause = Math.max(longestPause, performance.now() - last);
    last = performance.now();
  }
  // On the main thread, a script would have stopped it for two seconds.
  assert.ok(longestPause < 1_500, `the process paused for ${longestPause} ms`);
  const asked = performance.now();
  assert.equal(await failureOf("", { organizationId: "good" }), undefined);
  const waited = performance.now() - asked;
  // All of the others take 40 seconds of computing.
  assert.ok(waited < 8_000, `another tenant waited for ${waited} ms`);
  const failures = await Promise.all(hostile);
  const ends = ["computed_too_long", "displaced", "timeout", "too_many"];
  assert.ok(failures.every((failure) => ends.includes(failure ?? "")));
});

test("no long question leaves the sandbox: it would be in the heap of the process", async () => {
  const asked: number[] = [];
  const answer = async (kind: string, argument: string): Promise<string> => {
    asked.push(argument.length);
    if (kind === "grants") return '{"grants":[{}]}';
    return kind === "fetch" ? '{"status":200,"body":""}' : '{"metadata":[]}';
  };
  const ask = (length: number): string => `(() => {
    const [grant] = ctx.v1.user.grants.grants;
    grant.userGrantResourceOwner = "x".repeat(${length});
    try { grant.getOrgMetadata(); return "asked"; } catch (error) { return error.message; }
  })()`;
  const send = (length: number): string => `(() => {
    const body = "\\u0001".repeat(${length});
    try { require("service/http").fetch("https://a.example", { method: "POST", body }); return "asked"; }
    catch (error) { return error.message; }
  })()`;
  assert.equal(await evaluate(ask(1_000), { answer }), "asked");
  assert.equal(await evaluate(send(65_536), { answer }), "asked");
  const most = Math.max(...asked);
  assert.equal(await evaluate(ask(2_000_000), { answer }), "it is too long");
  assert.equal(await evaluate(send(300_000), { answer }), "it is too long");
  assert.equal(Math.max(...asked), most);
});
