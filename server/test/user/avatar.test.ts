import assert from "node:assert/strict";
import { sql } from "../../src/database/index.ts";
import { svg, upload } from "../branding/support/files.ts";
import { exif, pngChunk, realPng, richWebp, wholeJpeg } from "../support/data/pictures.ts";
import { fetch } from "../support/http/fetch.ts";
import { addOrganization, addPerson, appoint, type Person, sessionOf } from "../support/people/people.ts";
import { createSecondInstance, secondHost, systemUser } from "../support/people/system-user.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { TestServer } from "../support/servers/server.ts";

const mine = "users/me/avatar";
const own = "/auth/v1/users/me/avatar";
const address = /^http:\/\/localhost:\d+\/avatars\/[\w-]{32}\.(png|jpg|webp)$/;

const profileOf = async (server: TestServer, { userId }: Person) =>
  (await server.rest("GET", `/v2/users/${userId}`)).body.user.human.profile;

const urlOf = async (server: TestServer, person: Person): Promise<string> =>
  (await profileOf(server, person)).avatarUrl;

const countOf = async ({ app: { domain } }: TestServer): Promise<number> => {
  const rows = await domain.database.read.all(sql`select 1 from user_avatars where instance_id <> ''`);
  return rows.length;
};

const historyOf = async (server: TestServer, { userId }: Person) =>
  (await recordedEvents(server))
    .filter(({ aggregateId, type }) => aggregateId === userId && type.includes("avatar"))
    .map(({ type, editorUserId, payload }) => [type, editorUserId, payload["storeKey"]]);

const read = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(url, { headers });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

const fileOf = (url: string): string => new URL(url).pathname.slice("/avatars/".length);

async function personWith(server: TestServer, username: string, organizationId?: string) {
  const person = await addPerson(server, { username, ...(organizationId !== undefined && { organizationId }) });
  return { person, token: (await sessionOf(server, person)).token };
}

serversInTurn((start, test, both) => {
  both("a user sends a picture, replaces it and takes it away", async (t) => {
    const server = await start(t);
    const { person, token } = await personWith(server, "ada");
    assert.equal(await urlOf(server, person), "");

    assert.deepEqual(await upload(server, mine, realPng(40, 30), { token }), { status: 200, id: undefined });
    const first = await urlOf(server, person);
    assert.match(first, address);
    assert.deepEqual((await read(first)).bytes, realPng(40, 30));

    const before = (await server.rest("GET", `/v2/users/${person.userId}`)).body.user.details;
    assert.equal((await upload(server, mine, realPng(40, 30), { token })).status, 200);
    assert.equal(await urlOf(server, person), first, "the same picture changes nothing");
    assert.deepEqual((await server.rest("GET", `/v2/users/${person.userId}`)).body.user.details, before);

    assert.equal((await upload(server, mine, wholeJpeg(40, 30, [exif(6)]), { token })).status, 200);
    const second = await urlOf(server, person);
    assert.match(second, /\.jpg$/);
    assert.equal((await read(first)).status, 404, "the one before is gone at once");
    const served = await read(second);
    assert.equal(served.headers.get("content-type"), "image/jpeg");
    assert.ok(!served.bytes.includes("GPS"), "strangers do not learn where it was taken");

    const removed = await server.rest("DELETE", own, { token });
    assert.equal(removed.status, 200);
    assert.equal(Number(removed.body.details.sequence), before.sequence + 2);
    assert.equal(await urlOf(server, person), "");
    assert.equal((await read(second)).status, 404);
    assert.equal(await countOf(server), 0);
    const again = await server.rest("DELETE", own, { token });
    assert.deepEqual([again.status, again.body.details.sequence], [200, removed.body.details.sequence]);

    assert.deepEqual(await historyOf(server, person), [
      ["user.human.avatar.added", person.userId, fileOf(first)],
      ["user.human.avatar.added", person.userId, fileOf(second)],
      ["user.human.avatar.removed", person.userId, fileOf(second)],
    ]);
  });

  test("a picture is served to every caller who knows its name with its own type, and may be cached forever", async (t) => {
    const server = await start(t);
    const { person, token } = await personWith(server, "ada");
    for (const [bytes, type] of [
      [realPng(9, 9), "image/png"],
      [wholeJpeg(9, 9), "image/jpeg"],
      [richWebp(9, 9), "image/webp"],
    ] as const) {
      assert.equal((await upload(server, mine, bytes, { token })).status, 200);
      const url = await urlOf(server, person);
      const { status, headers } = await read(url);
      assert.equal(status, 200);
      assert.equal(headers.get("content-type"), type);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox$/);
      assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
      assert.equal(headers.get("cross-origin-resource-policy"), "cross-origin");
      assert.equal(headers.get("set-cookie"), null);
      const kept = await read(url, { "if-none-match": headers.get("etag") ?? "" });
      assert.deepEqual([kept.status, kept.bytes.length], [304, 0]);
      assert.equal((await fetch(url, { method: "POST" })).status, 405);
    }
  });

  test("nothing tells which users have a picture", async (t) => {
    const server = await start(t);
    const { person, token } = await personWith(server, "ada");
    const without = await addPerson(server, { username: "bob" });
    await upload(server, mine, realPng(9, 9), { token });
    const file = fileOf(await urlOf(server, person));
    await server.rest("DELETE", own, { token });
    const names = [
      file,
      person.userId,
      `${person.userId}.png`,
      `${without.userId}.png`,
      `${"A".repeat(32)}.png`,
      `${"A".repeat(32)}.svg`,
      `${file}%00.png`,
      "..%2f..%2fbranding%2fx",
      "%e0%a4%a",
    ];
    const headersOf = (headers: Headers): object =>
      Object.fromEntries([...headers].filter(([name]) => !["date", "x-request-id"].includes(name)));
    const expected = await read(`${server.origin}/avatars/${"B".repeat(32)}.png`);
    assert.equal(expected.status, 404);
    assert.equal(expected.headers.get("cache-control"), "no-store");
    for (const name of names.slice(0, 6)) {
      for (const headers of [{}, { "if-none-match": `"${name}"` }]) {
        const answer = await read(`${server.origin}/avatars/${name}`, headers);
        assert.deepEqual(
          [answer.status, answer.bytes.length, headersOf(answer.headers)],
          [404, 0, headersOf(expected.headers)],
        );
      }
    }
    for (const name of names.slice(6)) {
      const { status } = await read(`${server.origin}/avatars/${name}`);
      assert.ok(status === 404 || status === 400, `${name}: ${status}`);
    }
  });

  test("what is not a picture is refused by its bytes, and nothing of it is kept (CVE-2023-46238)", async (t) => {
    const server = await start(t);
    const { person, token } = await personWith(server, "ada");
    const page = "<!doctype html><script>alert(1)</script>";
    const invalid = "user.avatar_invalid";
    const rows: readonly [string, Buffer, string][] = [
      ["a page", Buffer.from(page), invalid],
      ["a drawing", svg(), invalid],
      ["a drawing with a script", svg("<script>alert(1)</script>"), invalid],
      ["a drawing with a handler", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), invalid],
      ["a GIF", Buffer.from("GIF89a\u0001\0\u0001\0".padEnd(60, "x"), "latin1"), invalid],
      ["a page that begins like a PNG", Buffer.from(`\x89PNG\r\n\x1a\n${page}`, "latin1"), invalid],
      ["half a PNG", realPng(64, 64).subarray(0, 60), invalid],
      ["half a JPEG", wholeJpeg(64, 64).subarray(0, 40), invalid],
      ["half a WebP", richWebp(64, 64).subarray(0, 60), invalid],
      [
        "a PNG without pixels",
        Buffer.concat([realPng(9, 9).subarray(0, 33), pngChunk("IEND", Buffer.alloc(0))]),
        invalid,
      ],
      ["a wide one", realPng(2049, 1), "user.avatar_too_wide"],
      ["one that unfolds", wholeJpeg(65535, 65535), "user.avatar_too_wide"],
      ["one without a size", realPng(0, 9), "user.avatar_too_wide"],
      ["a large one", Buffer.concat([realPng(9, 9), Buffer.alloc(512 * 1024)]), "user.avatar_too_large"],
    ];
    for (const [what, bytes, id] of rows) {
      assert.deepEqual(await upload(server, mine, bytes, { token }), { status: 400, id }, what);
    }
    const huge = await upload(server, mine, Buffer.alloc(600 * 1024), { token });
    assert.equal(huge.status, 413);
    const missing = { status: 400, id: "request.file_missing" };
    assert.deepEqual(await upload(server, mine, realPng(9, 9), { token, field: "avatar" }), missing);
    assert.deepEqual(await upload(server, mine, Buffer.alloc(0), { token }), missing);
    const rest = async (body: string, type: string) => {
      const headers = { "content-type": type };
      return (await server.rest("POST", `/assets/v1/${mine}`, { token, headers, body })).body.details[0].id;
    };
    assert.equal(await rest("{}", "application/json"), "request.file_missing");
    assert.equal(await rest("--y", "multipart/form-data; boundary=x"), "request.malformed_body");
    assert.equal(await urlOf(server, person), "");
    assert.equal(await countOf(server), 0);
    assert.deepEqual(await historyOf(server, person), []);
  });

  test("a file that is a picture and something else is served as the picture alone", async (t) => {
    const server = await start(t);
    const { person, token } = await personWith(server, "ada");
    const page = Buffer.from("<!doctype html><script>alert(1)</script>");
    for (const bytes of [
      Buffer.concat([realPng(9, 9), page]),
      realPng(9, 9, { extra: [pngChunk("tEXt", page)] }),
      Buffer.concat([wholeJpeg(9, 9), page]),
      wholeJpeg(9, 9, [Buffer.concat([Buffer.from([0xff, 0xfe, 0, page.length + 2]), page])]),
      Buffer.concat([richWebp(9, 9), page]),
    ]) {
      assert.equal((await upload(server, mine, bytes, { token })).status, 200);
      const served = await read(await urlOf(server, person));
      assert.ok(!served.bytes.includes("script"));
      await server.rest("DELETE", own, { token });
    }
  });

  test("users upload only their own picture; callers who may write users remove one", async (t) => {
    const server = await start(t);
    const acme = await addOrganization(server, "Acme");
    const { person, token } = await personWith(server, "ada", acme);
    const { token: otherToken } = await personWith(server, "bob", acme);
    const manager = await personWith(server, "manager", acme);
    const stranger = await personWith(server, "stranger");
    await appoint(server, manager.person, { organizationId: acme }, ["ORG_USER_MANAGER"]);
    await appoint(server, stranger.person, { organizationId: stranger.person.organizationId }, ["ORG_OWNER"]);

    assert.equal((await upload(server, mine, realPng(9, 9), { token: null })).status, 401);
    assert.equal((await upload(server, mine, realPng(9, 9), { token: "nonsense" })).status, 401);
    const robot = await upload(server, mine, realPng(9, 9));
    assert.deepEqual(robot, { status: 400, id: "user.not_human" });
    await upload(server, mine, realPng(9, 9), { token });
    assert.equal((await upload(server, mine, realPng(8, 8), { token: otherToken })).status, 200);
    const url = await urlOf(server, person);
    assert.deepEqual((await read(url)).bytes, realPng(9, 9));
    const { findSharedAvatar, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const [one, other] = await Promise.all([1, 2].map(() => findSharedAvatar(instanceId, fileOf(url))));
    assert.ok(one !== undefined && one.bytes === other?.bytes, "all who read it share its bytes");
    assert.notEqual(await urlOf(server, person), "");
    for (const at of [`users/${person.userId}/avatar`, `org/users/${person.userId}/avatar`]) {
      assert.equal((await upload(server, at, realPng(7, 7))).status, 404, "nobody sends one for others");
    }

    const path = `/management/v1/users/${person.userId}/avatar`;
    for (const [by, statuses] of [
      [null, [401]],
      [otherToken, [403, 404]],
      [stranger.token, [404]],
    ] as const) {
      assert.ok((statuses as readonly number[]).includes((await server.rest("DELETE", path, { token: by })).status));
    }
    assert.equal((await read(url)).status, 200);
    assert.equal((await server.rest("DELETE", path, { token: manager.token })).status, 200);
    assert.equal((await read(url)).status, 404);
    assert.deepEqual((await historyOf(server, person)).at(-1), [
      "user.human.avatar.removed",
      manager.person.userId,
      fileOf(url),
    ]);
    const nobody = await server.rest("DELETE", "/management/v1/users/123456789012345678/avatar");
    assert.equal(nobody.status, 404);
  });

  test("a picture belongs to its instance, and is deleted with its user", async (t) => {
    const system = systemUser(t);
    const server = await start(t, { config: system.config });
    const second = await createSecondInstance(server, system.tokenFor(server));
    const { person, token } = await personWith(server, "ada");
    await upload(server, mine, realPng(9, 9), { token });
    const url = await urlOf(server, person);
    const there = `/avatars/${fileOf(url)}`;
    assert.equal((await server.byHost(secondHost, "GET", there, { token: null })).status, 404);
    const foreign = await server.byHost(secondHost, "DELETE", `/management/v1/users/${person.userId}/avatar`, {
      token: second.pat,
    });
    assert.equal(foreign.status, 404);
    assert.equal((await server.byHost(secondHost, "DELETE", own, { token })).status, 401);
    assert.equal((await read(url)).status, 200);

    assert.equal((await server.rest("DELETE", `/v2/users/${person.userId}`)).status, 200);
    assert.equal((await read(url)).status, 404);
    assert.equal(await countOf(server), 0);
    assert.equal((await upload(server, mine, realPng(9, 9), { token })).status, 401);
  });

  both("of several who replace a picture at once one stays, whole", async (t) => {
    const server = await start(t);
    const { person, token } = await personWith(server, "ada");
    const sizes = [11, 12, 13, 14];
    const answers = await Promise.all(sizes.map((size) => upload(server, mine, realPng(size, size), { token })));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(await countOf(server), 1);
    const { bytes } = await read(await urlOf(server, person));
    assert.ok(sizes.some((size) => bytes.equals(realPng(size, size))));
  });

  test("a picture is shown with its user everywhere", async (t) => {
    const server = await start(t);
    const { person, token } = await personWith(server, "ada");
    const { userId, organizationId } = person;
    await appoint(server, person, { organizationId }, ["ORG_OWNER"]);
    const project = await server.connect("service.project.v2.ProjectService/CreateProject", {
      organizationId,
      name: "Shop",
    });
    const { projectId } = project.body;
    const grant = await server.connect("service.authorization.v2.AuthorizationService/CreateAuthorization", {
      userId,
      projectId,
      organizationId,
    });
    assert.equal(grant.status, 200, JSON.stringify(grant.body));
    await upload(server, mine, realPng(9, 9), { token });
    const url = await urlOf(server, person);
    assert.match(url, address);
    const search = async (path: string, by?: string) => {
      const answer = await server.rest("POST", path, { body: {}, ...(by !== undefined && { token: by }) });
      assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const get = async (path: string, by?: string) =>
      (await server.rest("GET", path, by === undefined ? {} : { token: by })).body;
    // biome-ignore lint/suspicious/noExplicitAny: rows of answers.
    const of = (rows: any[], key = "userId") => rows.find((row) => row[key] === userId);
    const authorizations = await server.connect("service.authorization.v2.AuthorizationService/ListAuthorizations", {});
    const found: Readonly<Record<string, string>> = {
      "v2 list": of((await search("/v2/users")).result).human.profile.avatarUrl,
      "v1 user": (await get(`/management/v1/users/${userId}`)).user.human.profile.avatarUrl,
      "v1 list": of((await search("/management/v1/users/_search")).result, "id").human.profile.avatarUrl,
      "v1 profile": (await get(`/management/v1/users/${userId}/profile`)).profile.avatarUrl,
      "own user": (await get("/auth/v1/users/me", token)).user.human.profile.avatarUrl,
      "own profile": (await get("/auth/v1/users/me/profile", token)).profile.avatarUrl,
      "by login name": (await get(`/management/v1/global/users/_by_login_name?loginName=${person.loginName}`)).user
        .human.profile.avatarUrl,
      "own sessions": (await search("/auth/v1/users/me/sessions/_search", token)).result[0].avatarUrl,
      members: of((await search("/management/v1/orgs/me/members/_search")).result).avatarUrl,
      "role assignment": authorizations.body.authorizations[0].user.avatarUrl,
      "user grant": of((await search("/management/v1/users/grants/_search")).result).avatarUrl,
      "one user grant": (await get(`/management/v1/users/${userId}/grants/${grant.body.id}`)).userGrant.avatarUrl,
      change: of((await search(`/management/v1/users/${userId}/changes/_search`)).result, "editorId").editorAvatarUrl,
    };
    for (const [where, shown] of Object.entries(found)) assert.equal(shown, url, where);
  });
});
