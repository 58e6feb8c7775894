import assert from "node:assert/strict";
import { test } from "node:test";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const smtp = {
  senderAddress: "login@mail.example",
  senderName: "Doorward",
  host: "localhost:2525",
  tls: true,
  user: "login",
  replyToAddress: "help@mail.example",
  description: "Main",
};
const password = "password-4711";
const xoauth2 = {
  tokenEndpoint: "https://login.example/token",
  scopes: ["smtp.send", "offline"],
  clientCredentials: { clientId: "client", clientSecret: password },
};

type Rest = (method: string, path: string, body?: object) => Promise<RestAnswer["body"]>;

/** Calls the Admin API and requires an answer; a refusal fails the test with what was said. */
const caller =
  (server: TestServer): Rest =>
  async (method, path, body) => {
    const answer = await server.rest(method, `/admin/v1${path}`, body === undefined ? {} : { body });
    assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

/** `status id field` of a refusal. */
async function refusal(server: TestServer, method: string, path: string, body?: object): Promise<string> {
  const answer = await server.rest(method, path.startsWith("/admin") ? path : `/admin/v1${path}`, body && { body });
  const [detail] = answer.body.details ?? [];
  return `${answer.status} ${detail?.id}`;
}

async function eventsOf(server: TestServer, aggregateType: string): Promise<string[]> {
  const feed = await recordedEvents(server);
  return feed
    .filter((event) => event.aggregateType === aggregateType)
    .map(({ type, sequence }) => `${type} ${sequence}`);
}

const invalid: readonly [path: string, body: object, id: string, field: string][] = [
  ["/email/smtp", { ...smtp, senderAddress: "nobody" }, "message_provider.address_invalid", "senderAddress"],
  [
    "/email/smtp",
    { ...smtp, senderAddress: '"a@evil.test"@mail.example' },
    "message_provider.address_invalid",
    "senderAddress",
  ],
  [
    "/email/smtp",
    { ...smtp, senderAddress: "a@b.example\r\nRCPT TO:<x@evil.test>" },
    "message_provider.address_invalid",
    "senderAddress",
  ],
  [
    "/email/smtp",
    { ...smtp, senderName: "Door\r\nBcc: x@evil.test" },
    "message_provider.sender_name_invalid",
    "senderName",
  ],
  ["/email/smtp", { ...smtp, replyToAddress: "nobody" }, "message_provider.address_invalid", "replyToAddress"],
  ["/email/smtp", { ...smtp, host: "mail.example" }, "message_provider.host_invalid", "host"],
  ["/email/smtp", { ...smtp, host: "mail.example:0" }, "message_provider.host_invalid", "host"],
  ["/email/smtp", { ...smtp, host: "mail.example:70000" }, "message_provider.host_invalid", "host"],
  ["/email/smtp", { ...smtp, host: "::1:25" }, "message_provider.host_invalid", "host"],
  ["/email/smtp", { ...smtp, host: "mail.example:25/x" }, "message_provider.host_invalid", "host"],
  ["/email/smtp", { ...smtp, user: "", plain: { password } }, "message_provider.user_missing", "user"],
  ["/email/smtp", { ...smtp, user: "a\nb" }, "message_provider.user_invalid", "user"],
  [
    "/email/smtp",
    { ...smtp, xoauth2: { ...xoauth2, tokenEndpoint: "ftp://x" } },
    "message_provider.endpoint_invalid",
    "xoauth2.tokenEndpoint",
  ],
  [
    "/email/smtp",
    { ...smtp, xoauth2: { ...xoauth2, tokenEndpoint: "https://10.0.0.1/" } },
    "message_provider.endpoint_forbidden",
    "xoauth2.tokenEndpoint",
  ],
  [
    "/email/smtp",
    { ...smtp, xoauth2: { ...xoauth2, clientCredentials: {} } },
    "message_provider.client_id_missing",
    "xoauth2.clientCredentials.clientId",
  ],
  [
    "/email/smtp",
    { ...smtp, xoauth2: { ...xoauth2, clientCredentials: { clientId: "c" } } },
    "message_provider.secret_required",
    "xoauth2.clientCredentials.clientSecret",
  ],
  ["/email/http", { endpoint: "hooks.example" }, "message_provider.endpoint_invalid", "endpoint"],
  ["/email/http", { endpoint: "https://user:pass@hooks.example/" }, "message_provider.endpoint_invalid", "endpoint"],
  ["/email/http", { endpoint: "https://169.254.169.254/" }, "message_provider.endpoint_forbidden", "endpoint"],
  ["/sms/http", { endpoint: "http://[::1]/" }, "message_provider.endpoint_forbidden", "endpoint"],
  ["/sms/twilio", { sid: "AC/../1", token: "t", senderNumber: "1" }, "message_provider.twilio_id_invalid", "sid"],
  [
    "/sms/twilio",
    { sid: "AC1", token: "t", senderNumber: "1", verifyServiceSid: "?" },
    "message_provider.twilio_id_invalid",
    "verifyServiceSid",
  ],
  ["/sms/twilio", { sid: "AC1", token: "t" }, "message_provider.sender_number_missing", "senderNumber"],
];

eachServer((start) => {
  test("providers are added, read, changed, activated and removed, by both generations", async (t) => {
    const server = await start(t);
    const call = caller(server);

    await t.test("an SMTP server with a password", async () => {
      const { id } = await call("POST", "/email/smtp", { ...smtp, plain: { password } });
      const { config } = await call("GET", `/email/${id}`);
      const { details, ...rest } = config as Record<string, unknown>;
      assert.deepEqual(rest, {
        id,
        state: "EMAIL_PROVIDER_INACTIVE",
        description: "Main",
        smtp: { ...pick(smtp, ["senderAddress", "senderName", "host", "tls", "user", "replyToAddress"]), plain: {} },
      });
      assert.deepEqual(Object.keys(details as object), ["sequence", "creationDate", "changeDate", "resourceOwner"]);
      const older = await call("GET", `/smtp/${id}`);
      const { details: _, ...config1 } = older["smtpConfig"] as Record<string, unknown>;
      assert.deepEqual(config1, { ...smtp, id, state: "SMTP_CONFIG_INACTIVE" });
      assert.equal(await refusal(server, "GET", "/email"), "404 message_provider.not_found");
      assert.equal(await refusal(server, "GET", "/smtp"), "404 message_provider.not_found");
      await call("DELETE", `/email/${id}`);
      assert.equal(await refusal(server, "GET", `/email/${id}`), "404 message_provider.not_found");
    });

    await t.test("the way to authenticate follows the words, and what an operation has no word for stays", async () => {
      const authOf = async (id: string): Promise<unknown> => {
        const { smtp: found } = (await call("GET", `/email/${id}`))["config"] as Record<
          string,
          Record<string, unknown>
        >;
        const { none, plain, xoauth2: token } = found ?? {};
        return {
          ...(none !== undefined && { none }),
          ...(plain !== undefined && { plain }),
          ...(token !== undefined && { xoauth2: token }),
        };
      };
      const shown = {
        tokenEndpoint: xoauth2.tokenEndpoint,
        scopes: xoauth2.scopes,
        clientCredentials: { clientId: "client" },
      };
      const cases: readonly [path: string, body: object, expected: object][] = [
        ["/email/smtp", { none: {} }, { none: {} }],
        ["/email/smtp", { user: "" }, { none: {} }],
        ["/email/smtp", { password }, { plain: {} }],
        ["/email/smtp", { xoauth2 }, { xoauth2: shown }],
        ["/smtp", { password }, { plain: {} }],
        ["/smtp", { user: "", password: "" }, { none: {} }],
      ];
      for (const [path, body, expected] of cases) {
        const { id } = await call("POST", path, { ...smtp, ...body });
        assert.deepEqual(await authOf(id as string), expected, JSON.stringify(body));
        await call("PUT", `/smtp/${id}`, {
          ...smtp,
          user: "user" in body ? body.user : smtp.user,
          description: "Older",
        });
        assert.deepEqual(await authOf(id as string), expected, `${JSON.stringify(body)} after an older change`);
        await call("DELETE", `/smtp/${id}`);
      }
      const { id } = await call("POST", "/smtp", { ...smtp, user: "" });
      await call("PUT", `/smtp/${id}`, { ...smtp, password });
      assert.deepEqual(await authOf(id), { plain: {} });
      await call("PUT", `/smtp/${id}`, { ...smtp, user: "" });
      assert.deepEqual(await authOf(id), { none: {} });
      await call("DELETE", `/smtp/${id}`);
    });

    await t.test(
      "an HTTP endpoint, whose key is shown to callers who may change it, and made anew on demand",
      async () => {
        const endpoint = "https://hooks.example/mail";
        const { id, signingKey } = await call("POST", "/email/http", { endpoint, description: "Hook" });
        assert.match(signingKey as string, /^[\w-]{43}$/);
        const read = async (): Promise<Record<string, Record<string, unknown>>> =>
          (await call("GET", `/email/${id}`))["config"] as never;
        assert.deepEqual((await read())["http"], { endpoint, signingKey });
        const kept = await call("PUT", `/email/http/${id}`, { endpoint: `${endpoint}/2`, description: "Hook" });
        assert.equal(kept["signingKey"], undefined);
        const rotated = await call("PUT", `/email/http/${id}`, {
          endpoint,
          description: "Hook",
          expirationSigningKey: "0s",
        });
        assert.notEqual(rotated["signingKey"], signingKey);
        assert.deepEqual((await read())["http"], { endpoint, signingKey: rotated["signingKey"] });
        // The older operations know SMTP servers alone.
        assert.equal(await refusal(server, "GET", `/smtp/${id}`), "404 message_provider.not_found");
        assert.equal(await refusal(server, "POST", `/smtp/${id}/_activate`, {}), "404 message_provider.not_found");
        assert.equal(await refusal(server, "DELETE", `/smtp/${id}`), "404 message_provider.not_found");
        const viewer = await addPerson(server, { username: "viewer" });
        await appoint(server, viewer, { instance: true }, ["IAM_OWNER_VIEWER"]);
        const { token } = await sessionOf(server, viewer);
        const seen = await server.rest("POST", "/email/_search", { body: {}, token });
        assert.deepEqual(seen.body.result[0].http, { endpoint, signingKey: "" });
        const denied = await server.rest("POST", `/admin/v1/email/${id}/_activate`, { body: {}, token });
        assert.equal(denied.status, 403);
        await call("DELETE", `/email/${id}`);
      },
    );

    await t.test(
      "one provider of a channel is active; what changes nothing is a success without an event",
      async () => {
        const one = (await call("POST", "/email/smtp", { ...smtp, none: {} }))["id"];
        const two = (await call("POST", "/email/http", { endpoint: "https://hooks.example/" }))["id"];
        const before = (await eventsOf(server, "email_provider")).length;
        await call("POST", `/email/${one}/_activate`, {});
        const again = await call("POST", `/email/${one}/_activate`, {});
        assert.equal(again["details"]["sequence"], 2);
        assert.equal((await call("GET", "/smtp"))["smtpConfig"]["state"], "SMTP_CONFIG_ACTIVE");
        await Promise.all([one, two, one, two].map((id) => call("POST", `/email/${id}/_activate`, {})));
        const listed = await call("POST", "/email/_search", { query: { asc: true } });
        const states = listed["result"].map(({ state }: { state: string }) => state);
        assert.deepEqual(states.toSorted(), ["EMAIL_PROVIDER_ACTIVE", "EMAIL_PROVIDER_INACTIVE"]);
        await call("POST", `/email/${two}/_activate`, {});
        assert.equal((await call("GET", "/email"))["config"]["id"], two);
        assert.equal(await refusal(server, "GET", "/smtp"), "404 message_provider.not_found");
        await call("POST", `/email/${two}/_deactivate`, {});
        await call("POST", `/email/${two}/_deactivate`, {});
        assert.equal(await refusal(server, "GET", "/email"), "404 message_provider.not_found");
        const unchanged = await call("PUT", `/email/smtp/${one}`, { ...smtp, none: {} });
        const events = (await eventsOf(server, "email_provider")).slice(before);
        assert.deepEqual(
          events.filter((event) => event.startsWith("email_provider.updated")),
          [],
        );
        const read = await call("GET", `/email/${one}`);
        assert.equal(unchanged["details"]["sequence"], read["config"]["details"]["sequence"]);
        await call("DELETE", `/email/${one}`);
        await call("DELETE", `/email/${two}`);
      },
    );

    await t.test("lists are paged, run downwards unless asked, and answer without the base", async () => {
      const ids: unknown[] = [];
      for (let count = 0; count < 3; count++) {
        server.clock.now += 1000;
        ids.push((await call("POST", "/email/smtp", { ...smtp, none: {} }))["id"]);
      }
      await call("POST", "/email/http", { endpoint: "https://hooks.example/" });
      const list = async (path: string, query: object): Promise<{ total: number; ids: unknown[] }> => {
        const { body } = await server.rest("POST", path, { body: { query } });
        return { total: body.details.totalResult, ids: body.result.map(({ id }: { id: string }) => id) };
      };
      assert.deepEqual(await list("/admin/v1/smtp/_search", {}), { total: 3, ids: ids.toReversed() });
      assert.deepEqual(await list("/admin/v1/smtp/_search", { asc: true, offset: 1, limit: 1 }), {
        total: 3,
        ids: [ids[1]],
      });
      assert.equal((await list("/email/_search", {})).total, 4);
      assert.equal((await list("/admin/v1/email/_search", { asc: true })).ids[0], ids[0]);
      const tooMany = await server.rest("POST", "/email/_search", { body: { query: { limit: 1001 } } });
      assert.equal(tooMany.body.details[0].id, "page.limit_exceeded");
    });

    await t.test("text messages by Twilio or an HTTP endpoint", async () => {
      const twilio = { sid: "AC123", senderNumber: "+15005550006", verifyServiceSid: "", description: "Twilio" };
      const { id } = await call("POST", "/sms/twilio", { ...twilio, token: password });
      const { config } = await call("GET", `/sms/${id}`);
      const { description, ...shown } = twilio;
      const { details: _, ...rest } = config as Record<string, unknown>;
      assert.deepEqual(rest, { id, description, state: "SMS_PROVIDER_CONFIG_INACTIVE", twilio: shown });
      await call("PUT", `/sms/twilio/${id}`, { ...twilio, sid: "AC456" });
      await call("PUT", `/sms/twilio/${id}/token`, { token: "another" });
      const http = await call("POST", "/sms/http", { endpoint: "https://hooks.example/sms", description: "Hook" });
      await call("PUT", `/sms/http/${http["id"]}`, { endpoint: "https://hooks.example/2", description: "Hook" });
      await call("POST", `/sms/${id}/_activate`, {});
      await call("POST", `/sms/${http["id"]}/_activate`, {});
      await call("POST", `/sms/${http["id"]}/_deactivate`, {});
      const listed = await call("POST", "/sms/_search", {});
      assert.deepEqual(
        listed["result"].map(({ state }: { state: string }) => state),
        ["SMS_PROVIDER_CONFIG_INACTIVE", "SMS_PROVIDER_CONFIG_INACTIVE"],
      );
      // A provider of one channel is not there in the other.
      assert.equal(await refusal(server, "GET", `/email/${id}`), "404 message_provider.not_found");
      assert.equal(await refusal(server, "POST", `/email/${id}/_activate`, {}), "404 message_provider.not_found");
      await call("DELETE", `/sms/${id}`);
      await call("DELETE", `/sms/${http["id"]}`);
      assert.equal(await refusal(server, "DELETE", `/sms/${id}`), "404 message_provider.not_found");
      assert.deepEqual(
        (await eventsOf(server, "sms_provider")).map((event) => event.replace("sms_provider.", "")),
        [
          "created 1",
          "updated 2",
          "secret.set 3",
          "created 1",
          "updated 2",
          "activated 4",
          "deactivated 5",
          "activated 3",
          "deactivated 4",
          "deleted 6",
          "deleted 5",
        ],
      );
    });

    await t.test("nothing writes messages to files or into the log", async () => {
      for (const kind of ["file", "log"]) {
        assert.equal(await refusal(server, "GET", `/notification/provider/${kind}`), "404 message_provider.not_found");
      }
    });

    await t.test("no secret is in an event or in a row, and none in a list", async () => {
      await call("POST", "/email/smtp", { ...smtp, plain: { password } });
      await call("POST", "/email/smtp", { ...smtp, xoauth2 });
      await call("POST", "/sms/twilio", { sid: "AC1", senderNumber: "+15005550006", token: password });
      const feed = JSON.stringify(await recordedEvents(server));
      const listed = JSON.stringify([await call("POST", "/email/_search", {}), await call("POST", "/sms/_search", {})]);
      for (const text of [feed, listed]) assert.doesNotMatch(text, /password-4711|v1\.[\w-]+\.[\w-]+\./);
    });

    await t.test("what could never send is refused with the field, and a secret stays with its server", async () => {
      for (const [path, body, id, field] of invalid) {
        const answer = await server.rest("POST", `/admin/v1${path}`, { body });
        assert.equal(answer.status, 400, JSON.stringify(body));
        assert.equal(answer.body.details[0].id, id, JSON.stringify(body));
        // What is right in itself, but not permitted, has no field that is wrong.
        assert.ok(
          id.endsWith("_forbidden") || answer.body.message.includes(field),
          `${answer.body.message} names ${field}`,
        );
      }
      const { id } = await call("POST", "/email/smtp", { ...smtp, plain: { password } });
      const elsewhere = { ...smtp, host: "evil.test:2525", plain: {} };
      const { id: tokens } = await call("POST", "/email/smtp", { ...smtp, xoauth2 });
      const destinations = [{ host: elsewhere.host }, { host: "localhost:587" }, { tls: false }];
      const { clientSecret: _, ...clientCredentials } = xoauth2.clientCredentials;
      const methods = [
        [id, { plain: {} }],
        [tokens, { xoauth2: { ...xoauth2, clientCredentials } }],
      ] as const;
      for (const [provider, method] of methods) {
        for (const destination of destinations) {
          const body = { ...smtp, ...method, ...destination };
          const test = { ...body, id: provider, receiverAddress: "me@mail.example" };
          const what = `${JSON.stringify(method)} ${JSON.stringify(destination)}`;
          const required = "400 message_provider.secret_required";
          assert.equal(await refusal(server, "PUT", `/email/smtp/${provider}`, body), required, what);
          assert.equal(await refusal(server, "PUT", `/smtp/${provider}`, { ...smtp, ...destination }), required, what);
          assert.equal(await refusal(server, "POST", "/email/smtp/_test", test), required, what);
        }
        // The same server in other words, and other settings, leave the secret where it is.
        const same = { ...smtp, ...method, host: "LOCALHOST:2525", senderName: "Other" };
        await call("PUT", `/email/smtp/${provider}`, same);
      }
      await call("PUT", `/email/smtp/${id}`, { ...smtp, host: "localhost:587", plain: { password } });
      await call("PUT", `/email/smtp/${id}`, { ...elsewhere, plain: { password: "new" } });
      assert.equal(
        await refusal(server, "PUT", `/email/smtp/${id}/password`, {}),
        "400 message_provider.secret_required",
      );
      await call("PUT", `/email/smtp/${id}`, { ...smtp, none: {} });
      assert.equal(
        await refusal(server, "PUT", `/email/smtp/${id}/password`, { password }),
        "400 message_provider.password_unused",
      );
      assert.equal(await refusal(server, "PUT", "/email/smtp/1", { ...smtp }), "404 message_provider.not_found");
    });
  });
});

const pick = <Shape extends object>(from: Shape, names: readonly (keyof Shape)[]): Partial<Shape> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<Shape>;
