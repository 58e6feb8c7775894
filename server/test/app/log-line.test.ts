import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { createLogLine } from "../../src/app/log-line.ts";

const plain = createLogLine({ hasColours: false });
const coloured = createLogLine({ hasColours: true });
const time = new Date(2026, 10, 23, 4, 5, 6).getTime();
const record = (rest: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ level: 30, time, pid: 1, hostname: "here", ...rest });

test("a record is one line: local time, level, message, and the fields in their order", () => {
  const ready = record({
    port: 8080,
    issuer: "http://localhost:8080",
    reason: "two words",
    list: ["a"],
    gone: null,
    msg: "ready",
  });
  assert.equal(
    plain(ready),
    '04:05:06 INFO  ready port=8080 issuer=http://localhost:8080 reason="two words" list=["a"] gone=null\n',
  );
});

test("every level has its name", () => {
  const labels = [10, 20, 30, 40, 50, 60, 35].map((level) => plain(record({ level, msg: "x" })).split(" ")[1]);
  assert.deepEqual(labels, ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "35"]);
});

test("an error stands below its line with its stack; what else it has is a field", () => {
  const err = { type: "Error", message: "refused", stack: "Error: refused\n    at a.ts:1:2", code: 7 };
  assert.equal(
    plain(record({ level: 50, err, requestId: "r1", msg: "job failed" })),
    "04:05:06 ERROR job failed requestId=r1 err.code=7\n    Error: refused\n        at a.ts:1:2\n",
  );
  assert.equal(plain(record({ err: { type: "Error", message: "m" } })), "04:05:06 INFO \n    Error: m\n");
  assert.equal(plain(record({ err: "text", msg: { a: 1 } })), '04:05:06 INFO  {"a":1} err=text\n');
});

test("no text of a request begins a line, moves the cursor or reorders what is read", () => {
  const hostile = "a\r\n04:05:06 FATAL forged \u001b[2J\u009b1m\u2028\u202e\u0000";
  const shown = plain(record({ msg: hostile, [hostile]: hostile, nested: { hostile }, err: { stack: hostile } }));
  assert.doesNotMatch(shown, /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u);
  // The second line is that of the stack, which is indented.
  assert.deepEqual(
    shown.split("\n").map((line) => line.slice(0, 5)),
    ["04:05", "    a", "    0", ""],
  );
});

test("colors change nothing but the color", () => {
  const failed = record({ level: 50, err: { stack: "Error: x" }, a: 1, msg: "m" });
  assert.notEqual(coloured(failed), plain(failed));
  assert.equal(stripVTControlCharacters(coloured(failed)), plain(failed));
});

const logModule = new URL("../../src/app/log.ts", import.meta.url).href;
const script = (format: string, records = shown): string =>
  `const { createLog } = await import(${JSON.stringify(logModule)});
   const log = createLog({ level: "info", format: ${JSON.stringify(format)} });
   ${records}`;
const shown = `log.debug("hidden"); log.warn({ password: "hunter2", one: { token: "t0ken" } }, "shown");`;

const run = (format: string, records?: string): string => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script(format, records)], {
    encoding: "utf8",
  });
  assert.equal(stdout, "");
  return stderr;
};

test("the pretty log goes to standard error, without colors where that is not a terminal, and without secrets", () => {
  assert.match(run("pretty"), /^\d\d:\d\d:\d\d WARN {2}shown password="\[secret\]" one=\{"token":"\[secret\]"\}\n$/);
});

test("the JSON log is one object a line, without secrets", () => {
  const { time: _, pid: __, hostname: ___, ...rest } = JSON.parse(run("json")) as Readonly<Record<string, unknown>>;
  assert.deepEqual(rest, { level: 40, password: "[secret]", one: { token: "[secret]" }, msg: "shown" });
});

test("the reason of an error is shown, and a code that is a secret is not", () => {
  const codes = (field: string, values: readonly unknown[]): unknown[] => {
    const records = values.map((code) => `log.warn({ ${field}: ${JSON.stringify({ code })} }, "m");`);
    return run("json", records.join(" "))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)[field].code);
  };
  const reasons = ["invalid_grant", "ECONNREFUSED", "EAI_AGAIN", "CERT_HAS_EXPIRED", "23505", "57P01", "unavailable"];
  for (const field of ["err", "error", "reason"]) assert.deepEqual(codes(field, reasons), reasons, field);
  const secrets = [
    "7KQPX2",
    "KQPXAB",
    "123456",
    "12345678",
    "kqpxab",
    "V2l0aCBhIGNvZGU_c29tZXRoaW5nLWVsc2U",
    123_456,
    "",
  ];
  for (const field of ["err", "error", "form"]) {
    assert.deepEqual(new Set(codes(field, secrets)), new Set(["[secret]"]), field);
  }
  const top = JSON.parse(run("json", `log.warn({ code: "invalid_grant" }, "m");`)) as { readonly code: string };
  assert.equal(top.code, "[secret]");
  const thrown = `log.error({ err: Object.assign(new Error("m"), { code: "server_error" }) });`;
  assert.equal(JSON.parse(run("json", thrown)).err.code, "server_error");
});
