import assert from "node:assert/strict";
import { callUser, slugOf } from "../../factor/support.ts";
import { addOrganization, addPerson, sessionOf } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";

const unknownId = "913763436848184999";
const given = { givenName: "Josephine", familyName: "Winterbottom" };
/** Refused for a reason that only the user's data or the rules of their organization give, and one that is good. */
const passwords = {
  "too short for the organization": "eleven words",
  "the family name": "Winterbottom-2026",
  "the address": "Secret.Address@mail.example1",
  good: "Summertopping with 2026 trees",
};

const pages = {
  "password-reset": { hasPassword: true, event: "user.password_reset_check.failed" },
  invitation: { hasPassword: false, event: "user.invitation_check.failed" },
  initialization: { hasPassword: false, event: "user.initialization_check.failed" },
} as const;

/** Makes an organization with rules and sign-in methods of its own, and a user with a code for each page. */
async function setUp(server: TestServer) {
  const organizationId = await addOrganization(server, "Acme");
  await changeSettings(server, "password_complexity", { minLength: 17 }, organizationId);
  await changeSettings(server, "login", { allowPasskeys: false }, organizationId);
  const add = async (username: string, hasPassword: boolean, email = `${username}@mail.example`) => {
    const password = { password: { password: "correct horse battery staple" } };
    const human = { profile: given, email: { email, isVerified: true }, ...(hasPassword && password) };
    return String((await callUser(server, "CreateUser", { organizationId, username, human })).id);
  };
  const reset = await add("reset", true, "secret.address@mail.example");
  const invited = await add("invited", false);
  const { verificationCode: resetCode } = await callUser(server, "PasswordReset", { userId: reset, returnCode: {} });
  const { inviteCode } = await callUser(server, "CreateInviteCode", { userId: invited, returnCode: {} });
  return { reset: { userId: reset, code: resetCode }, invited: { userId: invited, code: inviteCode } };
}

/** What a stranger sees of a page: everything but what differs for each browser, and the ids and codes they entered. */
const seen = ({ status, html }: ShownPage): string =>
  `${status} ${html.replaceAll(/name="csrf_token" value="[^"]*"/g, "").replaceAll(/user=\d+/g, "user=ID")}`;

const countOf = async (server: TestServer, type: string): Promise<number> =>
  (await recordedEvents(server)).filter((event) => event.type === type).length;

serversInTurn((start, test) => {
  test("pages and API of password codes say nothing of a user before the code", async (t) => {
    const server = await start(t);
    const { reset, invited } = await setUp(server);

    for (const [page, { hasPassword, event }] of Object.entries(pages)) {
      await t.test(page, async () => {
        const { userId } = hasPassword ? reset : invited;
        const address = (id: string, code = "") => `/ui/login/${page}?user=${id}${code}`;
        const open = async (id: string, code?: string) => seen(await new TestBrowser(server).open(address(id, code)));
        for (const code of ["", "&code=", "&code=AAAAAA"]) {
          assert.equal(await open(userId, code), await open(unknownId, code), `opened with ${code}`);
        }
        const before = await countOf(server, event);
        for (const [name, text] of Object.entries(passwords)) {
          const answers = [];
          for (const id of [userId, unknownId]) {
            const browser = new TestBrowser(server);
            const fields = { code: "AAAAAA", new_password: text, new_password_repeated: text };
            answers.push(seen(await browser.submit(await browser.open(address(id)), fields)));
          }
          assert.equal(answers[0], answers[1], name);
          assert.match(answers[0] ?? "", /This code is not valid/, name);
        }
        // The user of the first two pages has a code, that of the third none that anyone could guess.
        const counted = page === "initialization" ? 0 : 4;
        assert.equal((await countOf(server, event)) - before, counted, "each guess counts");
      });
    }

    await t.test("the API, to a user of another organization", async () => {
      const { token } = await sessionOf(server, await addPerson(server, { username: "me" }));
      const other = await callUser(server, "CreateUser", {
        organizationId: await addOrganization(server, "Other"),
        username: "other",
        human: { profile: given, email: { email: "other@mail.example", isVerified: true } },
      });
      for (const password of Object.values(passwords)) {
        for (const id of [other.id, unknownId]) {
          const body = { newPassword: { password }, verificationCode: "AAAAAA" };
          const answer = await server.rest("POST", `/v2/users/${id}/password`, { body, token });
          assert.equal(slugOf(answer), "user.code_invalid", `${password} ${id}`);
        }
      }
    });
  });

  test("with the code the rules of the organization are shown, and a refused password uses up nothing", async (t) => {
    const server = await start(t);
    const { reset, invited } = await setUp(server);
    for (const [page, { userId, code }] of Object.entries({ "password-reset": reset, invitation: invited })) {
      const browser = new TestBrowser(server);
      const opened = await browser.open(`/ui/login/${page}?user=${userId}&code=${code}`);
      assert.match(opened.html, /\b17\b/, "the organization's rules");
      assert.doesNotMatch(opened.html, /value="passkey"/, "and ways");
      const enter = (text: string) => browser.submit(opened, { new_password: text, new_password_repeated: text });
      for (const [name, text] of Object.entries(passwords)) {
        if (name === "good" || (name === "the address" && page === "invitation")) continue;
        const refused = await enter(text);
        assert.match(refused.alert ?? "", name.startsWith("too short") ? /17/ : /guess/, name);
        assert.match(refused.html, /\b17\b/, name);
      }
      assert.match((await enter(passwords.good)).address, /password-set/);
    }
  });
});
