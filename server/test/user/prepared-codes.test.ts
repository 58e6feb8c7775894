import assert from "node:assert/strict";
import { sql } from "../../src/database/index.ts";
import { inboxOf } from "../factor/support.ts";
import { addStaff, type Staff } from "../identity-provider/trusted.ts";
import { testCall } from "../support/operations/call.ts";
import { appoint, goodPassword, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

const newPassword = { password: "An0ther-Passw0rd!" };
const urlTemplate = "https://shop.example/join?user={{.UserID}}&code={{.Code}}";
const refused = "400 user.code_invalid";

const outcomeOf = ({ status, body }: RestAnswer): string =>
  status === 200 ? "200" : `${status} ${body.details?.[0]?.id}`;

/** A kind of code: how an administrator gets one for a user, and how it is used. */
interface Kind {
  readonly hasPassword: boolean;
  /** Who may not have such a code at all. */
  readonly refuses?: string;
  issue(server: TestServer, user: { userId: string; email: string }, token: string): Promise<unknown>;
  use(server: TestServer, userId: string, code: unknown): Promise<RestAnswer>;
}

async function ask(server: TestServer, path: string, body: object, token: string): Promise<RestAnswer["body"]> {
  const answer = await server.rest("POST", path, { body, token });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function linkedCode(server: TestServer, email: string): Promise<string> {
  const [mail] = await inboxOf(server, email);
  const code = /https:\/\/shop\.example\/join\?user=\d+&(?:amp;)?code=(\w+)/.exec(JSON.stringify(mail))?.[1];
  assert.ok(code, JSON.stringify(mail));
  return code;
}

const kinds: Record<string, Kind> = {
  "returned reset code": {
    hasPassword: true,
    issue: async (server, { userId }, token) =>
      (await ask(server, `/v2/users/${userId}/password_reset`, { returnCode: {} }, token)).verificationCode,
    use: (server, userId, verificationCode) =>
      server.rest("POST", `/v2/users/${userId}/password`, { body: { newPassword, verificationCode } }),
  },
  "returned passkey code": {
    hasPassword: true,
    refuses: "ORG_USER_MANAGER",
    issue: async (server, { userId }, token) =>
      (await ask(server, `/v2/users/${userId}/passkeys/registration_link`, { returnCode: {} }, token)).code,
    use: (server, userId, code) =>
      server.rest("POST", `/v2/users/${userId}/passkeys`, { body: { code, domain: "localhost" } }),
  },
  "returned code of an address": {
    hasPassword: true,
    issue: async (server, { userId }, token) =>
      (await ask(server, `/v2/users/${userId}/email`, { email: `new-${userId}@mail.example`, returnCode: {} }, token))
        .verificationCode,
    use: (server, userId, verificationCode) =>
      server.rest("POST", `/v2/users/${userId}/email/verify`, { body: { verificationCode } }),
  },
  "invitation with the link of an application": {
    hasPassword: false,
    issue: async (server, { userId, email }, token) => {
      await ask(server, `/v2/users/${userId}/invite_code`, { sendCode: { urlTemplate } }, token);
      return linkedCode(server, email);
    },
    use: (server, userId, verificationCode) =>
      server.rest("POST", `/v2/users/${userId}/invite_code/verify`, { body: { verificationCode } }),
  },
};

/** Makes a plain user of an organization. */
async function make(
  server: TestServer,
  { organizationId }: Staff,
  username: string,
  hasPassword: boolean,
  token?: string,
) {
  const email = `${username}@mail.example`;
  const human = {
    profile: { givenName: username, familyName: "Prepared" },
    email: { email, isVerified: true },
    ...(hasPassword && { password: { password: goodPassword } }),
  };
  const made = await server.rest("POST", "/v2/users/new", {
    body: { organizationId, username, human },
    ...(token !== undefined && { token }),
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return { userId: String(made.body.id), organizationId, loginName: username, password: goodPassword, email };
}

async function setUp(server: TestServer) {
  const acme = await addStaff(server, "acme");
  const other = await addStaff(server, "other");
  const { organizationId } = acme;
  const project = await server.connect("service.project.v2.ProjectService/CreateProject", {
    organizationId,
    name: "Shop",
  });
  const oidcConfiguration = {
    redirectUris: ["https://shop.example/callback"],
    responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
  };
  const { projectId } = project.body;
  const app = { projectId, name: "shop", oidcConfiguration };
  const made = await server.connect("service.application.v2.ApplicationService/CreateApplication", app);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return { acme, other };
}

serversInTurn((start, test, both) => {
  test("a code that an administrator can read gives no more than the administrator had", async (t) => {
    const server = await start(t);
    const { acme, other } = await setUp(server);
    const authors = { ORG_USER_MANAGER: acme.clerk, ORG_OWNER: acme.owner, IAM_OWNER: acme.boss };
    const promotions: Record<string, readonly [object, string] | undefined> = {
      none: undefined,
      "ORG_OWNER here": [{ organizationId: acme.organizationId }, "ORG_OWNER"],
      "ORG_OWNER elsewhere": [{ organizationId: other.organizationId }, "ORG_OWNER"],
      IAM_OWNER: [{ instance: true }, "IAM_OWNER"],
    };
    const enough: Record<string, readonly string[]> = {
      ORG_USER_MANAGER: ["none"],
      ORG_OWNER: ["none", "ORG_OWNER here"],
      IAM_OWNER: Object.keys(promotions),
    };
    let count = 0;
    for (const [name, kind] of Object.entries(kinds)) {
      for (const [author, { token }] of Object.entries(authors)) {
        if (kind.refuses === author) {
          const user = await make(server, acme, `p${++count}`, kind.hasPassword);
          await assert.rejects(kind.issue(server, user, token), /permission\.missing/);
          continue;
        }
        for (const [promotion, position] of Object.entries(promotions)) {
          await t.test(`${name} by ${author}, then ${promotion}`, async () => {
            const user = await make(server, acme, `p${++count}`, kind.hasPassword);
            const code = await kind.issue(server, user, token);
            if (position !== undefined) await appoint(server, user, position[0], [position[1]]);
            const isEnough = enough[author]?.includes(promotion);
            assert.equal(outcomeOf(await kind.use(server, user.userId, code)), isEnough ? "200" : refused);
          });
        }
      }
    }
  });

  both(
    "what only its user reads is weighed by the author of the address, and a resent link keeps its own",
    async (t) => {
      const server = await start(t);
      const { acme, other } = await setUp(server);
      const { token } = acme.clerk;

      await t.test("a code that was sent with our own page, as far as the author of the address goes", async () => {
        const outcomes = [];
        for (const [username, author, isAppointed] of [
          ["sent", acme.boss, true],
          ["sent-by-less", acme.clerk, true],
          ["sent-to-nothing", acme.clerk, false],
        ] as const) {
          const user = await make(server, acme, username, true, author.token);
          await ask(server, `/v2/users/${user.userId}/password_reset`, { sendLink: {} }, token);
          if (isAppointed) await appoint(server, user, { instance: true }, ["IAM_OWNER"]);
          const [mail] = await inboxOf(server, user.email);
          const code = /[?&;]code=(\w+)/.exec(JSON.stringify(mail))?.[1];
          const body = { newPassword, verificationCode: code };
          outcomes.push(outcomeOf(await server.rest("POST", `/v2/users/${user.userId}/password`, { body })));
        }
        assert.deepEqual(outcomes, ["200", refused, "200"]);
      });

      await t.test("an offer that the user accepts elsewhere counts as well", async () => {
        const kind = kinds["returned passkey code"];
        assert.ok(kind);
        const user = await make(server, acme, "accepts", true);
        const code = await kind.issue(server, user, acme.owner.token);
        const service = "service.internal_permission.v2.InternalPermissionService";
        const offer = {
          userId: user.userId,
          resource: { organizationId: other.organizationId },
          roles: ["ORG_OWNER_VIEWER"],
        };
        const offered = await server.connect(`${service}/CreateAdministrator`, offer, { token: other.owner.token });
        assert.equal(offered.body.state, "ADMINISTRATOR_STATE_PENDING");
        const own = { token: (await sessionOf(server, user)).token };
        assert.equal((await server.connect(`${service}/AcceptAppointment`, offer, own)).status, 200);
        assert.equal(outcomeOf(await kind.use(server, user.userId, code)), refused);
        const { userId, resource } = offer;
        const removed = await server.connect(`${service}/DeleteAdministrator`, { userId, resource });
        assert.equal(removed.status, 200, JSON.stringify(removed.body));
        assert.equal(outcomeOf(await kind.use(server, user.userId, code)), "200", "it was not used up");
      });

      await t.test("an invitation with the link of an application, sent again from our page", async () => {
        const kind = kinds["invitation with the link of an application"];
        assert.ok(kind);
        const user = await make(server, acme, "invited", false);
        const first = await kind.issue(server, user, token);
        const browser = new TestBrowser(server);
        const enter = async (code: unknown) =>
          browser.submit(
            await browser.open(`/ui/login/invitation?user=${user.userId}`),
            { code: String(code), new_password: goodPassword, new_password_repeated: goodPassword },
            { action: "/ui/login/invitation?" },
          );
        const resend = async (refusal: Awaited<ReturnType<typeof enter>>) => {
          server.clock.now += 120_000;
          await browser.submit(refusal, {}, { action: "/again" });
        };
        await resend(await enter("WRONG1"));
        const second = await linkedCode(server, user.email);
        assert.notEqual(second, first);
        await appoint(server, user, { instance: true }, ["IAM_OWNER"]);
        assert.equal(outcomeOf(await kind.use(server, user.userId, second)), refused);
        await resend(await enter(second));
        const [mail] = await inboxOf(server, user.email);
        assert.doesNotMatch(JSON.stringify(mail), /shop\.example/, "the usual link");
        const code = /[?&;]code=(\w+)/.exec(JSON.stringify(mail))?.[1];
        assert.match((await enter(code)).address, /password-set/);
      });

      await t.test("a code from before is that of an owner of the organization", async () => {
        const kind = kinds["returned passkey code"];
        assert.ok(kind);
        const user = await make(server, acme, "former", true);
        for (const [resource, role, expected] of [
          [{ organizationId: acme.organizationId }, "ORG_OWNER", "200"],
          [{ instance: true }, "IAM_OWNER_VIEWER", refused],
        ] as const) {
          const code = await kind.issue(server, user, acme.boss.token);
          const { database } = server.app.domain;
          const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
          await database.touch(testCall({ instanceId, now: server.clock.now }), (tx) =>
            tx.run(sql`update one_time_secrets set bound = '{}' where subject_id = ${user.userId}`),
          );
          await appoint(server, user, resource, [role]);
          assert.equal(outcomeOf(await kind.use(server, user.userId, code)), expected);
        }
      });
    },
  );

  test("a new password ends the codes with which a passkey could be added", async (t) => {
    const server = await start(t);
    const { acme } = await setUp(server);
    const kind = kinds["returned passkey code"];
    assert.ok(kind);
    const user = await make(server, acme, "changes", true);
    const code = await kind.issue(server, user, acme.owner.token);
    const { token } = await sessionOf(server, user);
    const body = { newPassword, currentPassword: goodPassword };
    assert.equal(outcomeOf(await server.rest("POST", `/v2/users/${user.userId}/password`, { body, token })), "200");
    assert.equal(outcomeOf(await kind.use(server, user.userId, code)), refused);
    const next = await kind.issue(server, user, acme.owner.token);
    assert.equal(outcomeOf(await kind.use(server, user.userId, next)), "200");
  });
});
