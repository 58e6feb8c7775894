import assert from "node:assert/strict";
import { test } from "node:test";
import { callUser, inboxOf, slugOf } from "../../factor/support.ts";
import { setUpOidc } from "../../support/oidc/oidc.ts";
import { addPerson, type Person, sessionOf } from "../../support/people/people.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { atHome } from "../../support/sign-in/said-users.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { signedIn } from "../support/sign-in.ts";

const password = "a wholly new passphrase";

interface Replacing {
  readonly server: TestServer;
  readonly vera: Person;
  /** A browser that the user has signed in with. */
  readonly browser: TestBrowser;
}

/** Enters the code of a message on the page of its link. */
async function chooseOnPage({ server, vera }: Replacing, browser: TestBrowser): Promise<void> {
  await callUser(server, "PasswordReset", { userId: vera.userId, sendLink: {} });
  const [message] = await inboxOf(server, `${vera.loginName.split("@")[0]}@mail.example`);
  const [link = ""] = /http:\/\/\S*password-reset\S*/.exec(message.text) ?? [];
  const { pathname, search } = new URL(link);
  const page = await browser.open(pathname + search);
  const done = await browser.submit(page, { new_password: password, new_password_repeated: password });
  assert.match(done.address, /password-set/);
}

/** Ways to replace a password, and which of the browsers of the user keep their allowance. */
const replacements: readonly {
  readonly name: string;
  readonly replace: (replacing: Replacing) => Promise<unknown>;
  readonly pages: boolean;
  readonly logins: boolean;
}[] = [
  { name: "nothing", replace: () => Promise.resolve(), pages: true, logins: true },
  {
    name: "the current one",
    replace: async ({ server, vera }) => {
      const { token } = await sessionOf(server, vera);
      const body = { newPassword: { password }, currentPassword: vera.password };
      const changed = await server.rest("POST", `/v2/users/${vera.userId}/password`, { token, body });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
    },
    pages: true,
    logins: true,
  },
  {
    name: "a code",
    replace: async ({ server, vera: { userId } }) => {
      const { verificationCode } = await callUser(server, "PasswordReset", { userId, returnCode: {} });
      await callUser(server, "SetPassword", { userId, newPassword: { password }, verificationCode });
    },
    pages: false,
    logins: false,
  },
  {
    name: "a code in a change of the user",
    replace: async ({ server, vera: { userId } }) => {
      const { verificationCode } = await callUser(server, "PasswordReset", { userId, returnCode: {} });
      const human = { password: { password: { password }, verificationCode } };
      await callUser(server, "UpdateUser", { userId, human });
    },
    pages: false,
    logins: false,
  },
  {
    name: "a code, in the browser",
    replace: (replacing) => chooseOnPage(replacing, replacing.browser),
    pages: true,
    logins: false,
  },
  {
    name: "a code, in another browser",
    replace: (replacing) => chooseOnPage(replacing, new TestBrowser(replacing.server)),
    pages: false,
    logins: false,
  },
  {
    name: "an administrator",
    replace: ({ server, vera: { userId } }) => callUser(server, "SetPassword", { userId, newPassword: { password } }),
    pages: false,
    logins: false,
  },
];

eachServer((start) => {
  test("a password that replaces another without it is guessed at from no browser of the former one", async (t) => {
    const server = await start(t);
    const { loginToken: token } = await setUpOidc(server);
    for (const [index, { name, replace, pages, logins }] of replacements.entries()) {
      await t.test(name, async () => {
        const vera = await addPerson(server, { username: `vera-${index}` });
        const open = async (userAgent: object, secret: string): Promise<string> => {
          const checks = { user: { userId: vera.userId }, password: { password: secret } };
          return slugOf(await server.rest("POST", "/v2/sessions", { token, body: { checks, userAgent } }));
        };
        const browser = await signedIn(server, vera);
        assert.equal(await open(atHome, vera.password), "done");
        server.clock.now += 10_000;
        await replace({ server, vera, browser });
        const right = name === "nothing" ? vera.password : password;
        /** Strangers have it rest in browsers that the user does not know. */
        const guess = async (): Promise<void> => {
          for (let count = 0; count < 40; count++) {
            await open({ ip: `203.0.113.${count + 1}` }, "guess");
            server.clock.now += 5_000;
          }
          assert.equal(await open({ ip: "203.0.113.99" }, right), "password.throttled");
        };
        await guess();
        const asked = await browser.submit(
          await browser.open("/ui/login?account=other"),
          { login_name: vera.loginName },
          { action: "/ui/login" },
        );
        // Where the session stayed, the name is enough.
        const page = asked.address === "/ui/login/signed-in" ? asked : await browser.submit(asked, { password: right });
        assert.equal(page.address === "/ui/login/signed-in", pages, page.alert ?? page.address);
        await guess();
        assert.equal(await open(atHome, right), logins ? "done" : "password.throttled");
        // A browser where it was entered is known again.
        server.clock.now += 3_600_000;
        assert.equal(await open(atHome, right), "done");
        await guess();
        assert.equal(await open(atHome, right), "done");
      });
    }
  });
});
