import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { startMailServer } from "../support/http/mail-server.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { normalize } from "./support/normalize.ts";
import { type Operation, operations } from "./support/operations.ts";
import { makeScene } from "./support/scene.ts";

const folder = join(import.meta.dirname, "json");
const isWriting = process.env["DOORWARD_TEST_GOLDEN"] === "write";

async function perform(
  server: TestServer,
  { call, as, first }: Operation,
  ids: Record<string, string>,
): Promise<object> {
  const fill = (text: string): string =>
    text.replaceAll(/\$(\w+)/g, (_, name: string) => ids[name] ?? assert.fail(`there is no $${name}`));
  const [verb, path, body] = call;
  const request = body === undefined ? undefined : (JSON.parse(fill(JSON.stringify(body))) as object);
  const answer = await server.rest(verb, fill(path), {
    ...(request !== undefined && { body: request }),
    ...(as !== undefined && { token: ids[as] ?? "" }),
  });
  if (typeof answer.body?.id === "string") ids["last"] = answer.body.id;
  return {
    request: { call: `${verb} ${fill(path)}`, ...(request !== undefined && { body: request }) },
    response: { status: answer.status, body: first === undefined ? answer.body : shorten(answer.body, first) },
  };
}

const shorten = (body: object, length: number): object =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, length) : value]),
  );

eachServer((start) => {
  test("listed operations are asked and answered as their golden files say (npm run test:golden writes them)", async (t) => {
    const mail = await startMailServer(t);
    // The golden files have the dates of an instance that is made at the start of the clock.
    const server = await start(t, { isFresh: true });
    const ids = await makeScene(server, mail.host);
    for (const operation of operations) {
      const made = await perform(server, operation, ids);
      const text = `${JSON.stringify(normalize(made, ids, server.port), null, 2)}\n`;
      const file = join(folder, `${operation.name}.json`);
      if (isWriting) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
      assert.ok(existsSync(file), `${operation.name} has no golden file`);
      assert.equal(text, readFileSync(file, "utf8"), operation.name);
    }
    assert.equal(mail.received.length, operations.filter(({ name }) => name.endsWith("-test")).length, "test mails");
  });
});

test("every golden file is of an operation", () => {
  const names = operations.map(({ name }) => name).sort();
  assert.equal(new Set(names).size, names.length);
  assert.deepEqual(
    globSync("**/*.json", { cwd: folder })
      .map((file) => file.slice(0, -".json".length))
      .sort(),
    names,
  );
});
