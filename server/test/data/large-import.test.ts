import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { createOrganizationFramer, type OrganizationEntry } from "../../src/cli/org/organization-framer.ts";
import { sendPieces } from "../../src/cli/org/send-organizations.ts";
import type { ReportLine } from "../../src/cli/user/writing/report-line.ts";
import type { Ending } from "../support/databases/databases.ts";
import { makeDirectory, runCommand } from "../support/servers/command.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { comparable, everything, guestId, homeId } from "./support/everything.ts";

const admin = "service.admin.v1.AdminService";
const count = 150;

/** Runs `doorward org import` with requests of 64 KiB, so that lists are sent in several. */
async function importFile(t: Ending, server: TestServer, content: string, ...args: string[]) {
  const directory = makeDirectory(t);
  writeFileSync(join(directory, "data.json"), content);
  writeFileSync(join(directory, "token"), server.ownerToken);
  const options = ["--body-limit=65536", "--report=report.ndjson", "--json", `--url=${server.origin}`];
  const command = ["org", "import", "data.json", "--token-file=token", ...options, ...args];
  const outcome = await runCommand(t, command, { in: directory });
  const report = outcome.stdout.includes('"error"') ? "" : readFileSync(join(directory, "report.ndjson"), "utf8");
  return { ...outcome, result: JSON.parse(outcome.stdout), report };
}

/** Organizations with everything, and with more users than a request holds. */
// biome-ignore lint/suspicious/noExplicitAny: requests are JSON.
function manyUsers(): any[] {
  // biome-ignore lint/suspicious/noExplicitAny: requests are JSON.
  const [home, guest] = everything() as any[];
  for (let index = 0; index < count; index++) {
    const userId = `u${index}`;
    const email = { email: `${userId}@home.example`, isEmailVerified: true };
    const user = {
      userName: userId,
      profile: { firstName: "U", lastName: `N${index}`, nickName: "n".repeat(190) },
      email,
    };
    const isInactive = index % 10 === 0;
    home.humanUsers.push({ userId, user, ...(isInactive && { state: "USER_STATE_INACTIVE" }) });
    home.userMetadata.push({ id: userId, key: "plan", value: Buffer.from("x".repeat(700)).toString("base64") });
    home.userGrants.push({ userId, projectId: "71", roleKeys: ["buyer"] });
  }
  return [home, guest];
}

async function exporting(server: TestServer): Promise<readonly Record<string, unknown>[]> {
  const answer = await server.connect(`${admin}/ExportData`, { orgIds: [homeId, guestId], responseOutput: true });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.orgs;
}

serversInTurn((start, test) => {
  test("a file larger than a request is imported as one request would import it", async (t) => {
    const large = await start(t, { config: { bodyLimit: 20 * 1024 * 1024 } });
    const orgs = manyUsers();
    const whole = await large.connect(`${admin}/ImportData`, { dataOrgs: { orgs } });
    assert.equal(whole.body.errors, undefined, JSON.stringify(whole.body.errors?.[0]));

    const server = await start(t, { config: { bodyLimit: 65_536 } });
    const content = JSON.stringify({ dataOrgs: { orgs } });
    const checked = await importFile(t, server, content, "--dry-run");
    assert.deepEqual([checked.code, checked.result.failed], [0, 0], checked.stdout);
    const done = await importFile(t, server, content);
    assert.equal(done.code, 0, done.report + done.stderr);
    assert.equal(done.report, "");
    assert.deepEqual(comparable(await exporting(server)), comparable(await exporting(large)));

    const again = await importFile(t, server, content);
    assert.deepEqual([again.code, again.result.failed], [0, 0], again.report);
    assert.ok(again.result.existing > 2 * count, again.stdout);
    assert.ok(!again.report.includes("$2b$"), "no hashes");
    assert.deepEqual(comparable(await exporting(server)), comparable(await exporting(large)));
  });
});

test("what a request has no time for is sent again, and only what fails in the end is reported", async () => {
  const error = (type: string, id: string, slug: string) => ({ type, id, message: `Refused. (${slug})` });
  const answers = [
    { errors: [error("human_user", "1", "user.username_invalid"), error("timeout", "9", "data.time_over")] },
    {
      errors: [error("human_user", "1", "user.username_invalid"), error("human_user", "2", "user.id_taken")],
      success: { orgs: [{ orgId: "9", humanUserIds: ["3", "4"] }] },
    },
  ];
  const sent: object[] = [];
  const lines: ReportLine[] = [];
  const counts = { imported: 0, existing: 0, failed: 0 };
  const api = (_method: string, message: object) => {
    sent.push(message);
    return Promise.resolve(answers[sent.length - 1] ?? {});
  };
  const report = { add: async (added: readonly ReportLine[]) => void lines.push(...added), close: async () => {} };
  await sendPieces({ api, report, file: "a", isFirstFormat: false, counts }, { pieces: [{ orgId: "9" }] });
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[0], sent[1]);
  assert.deepEqual(counts, { imported: 2, existing: 0, failed: 1 });
  assert.deepEqual(
    lines.map(({ user, what }) => `${user} ${what}`),
    ["1 failed"],
  );
});

/** Frames a text in chunks of a size. */
function frame(text: string, size: number): readonly string[] {
  const bytes = Buffer.from(text);
  const found: string[] = [];
  const emit = ({ organization, member, isElement, item }: OrganizationEntry): void => {
    found.push(`${organization} ${member}${isElement ? "[]" : ""} ${item.bytes?.toString()}`);
  };
  const framer = createOrganizationFramer(1000);
  for (let index = 0; index < bytes.length; index += size) framer.push(bytes.subarray(index, index + size), emit);
  framer.end();
  return found;
}

test("organizations are cut into the values of their members and the elements of their lists", () => {
  const expected = [
    '0 orgId "1"',
    '0 org {"orgs":[{"a":[1]}]}',
    '0 users[] {"x":[{"users":[2]}]}',
    "0 users[] 3",
    "1 flag true",
  ];
  const orgs =
    '[{"orgId":"1", "empty":[], "org" : {"orgs":[{"a":[1]}]}, "users":[{"x":[{"users":[2]}]}, 3]}, {"flag":true}]';
  for (const size of [1, 2, 5, 1000]) {
    assert.deepEqual(frame(`{"orgs":${orgs}}`, size), expected);
    assert.deepEqual(frame(`{"timeout":"1s","dataOrgs":{"orgs":${orgs}},"x":[{"orgs":1}]}`, size), expected);
  }
  for (const text of ['{"orgs":[', '{"orgs":[{}]', "]", "orgs"]) assert.throws(() => frame(text, 3), /not JSON/, text);
});

test("any organizations are read back, wherever the chunks end", () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const organization = fc.dictionary(fc.constantFrom("a", "b", "orgs", "c"), value, { maxKeys: 3 });
  fc.assert(
    fc.property(fc.array(organization, { maxLength: 4 }), fc.integer({ min: 1, max: 30 }), (given, size) => {
      const orgs = JSON.parse(JSON.stringify(given)) as Record<string, unknown>[];
      const expected = orgs.flatMap((each, index) =>
        Object.entries(each).flatMap(([name, content]) =>
          Array.isArray(content)
            ? content.map((element) => `${index} ${name}[] ${JSON.stringify(element)}`)
            : [`${index} ${name} ${JSON.stringify(content)}`],
        ),
      );
      assert.deepEqual(
        frame(JSON.stringify({ before: [{ orgs: 1 }], dataOrgs: { orgs } }), size),
        expected.filter((line) => line.length < 1000),
      );
    }),
  );
});
