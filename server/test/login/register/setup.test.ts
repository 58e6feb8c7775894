import assert from "node:assert/strict";
import { issueSetupLink } from "../../../src/domain/setup/index.ts";
import { testCall } from "../../support/operations/call.ts";
import { goodPassword } from "../../support/people/people.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { signedIn } from "../support/sign-in.ts";

const entered = {
  given_name: "Ada",
  family_name: "Lovelace",
  email: "ada@mail.example",
  username: "ada",
  password: goodPassword,
  new_password_repeated: goodPassword,
};

async function link({ app: { domain } }: TestServer): Promise<string> {
  const instance = await domain.findInstanceByHost("localhost");
  assert.ok(instance);
  const secret = await issueSetupLink(domain, testCall({ instanceId: instance.instanceId, now: domain.clock() }));
  assert.ok(secret);
  return secret.reveal();
}

serversInTurn((start, test, both) => {
  test("the first administrator is made by the link, is signed in, and may manage everything", async (t) => {
    const server = await start(t);
    const code = await link(server);
    const browser = new TestBrowser(server);
    const page = await browser.open("/ui/setup");
    assert.match(page.title, /^Create your administrator/);
    assert.match(page.html, /@doorward\.localhost/);
    assert.doesNotMatch(page.html, new RegExp(code));
    const done = await browser.submit(page, { ...entered, setup_code: ` ${code} ` });
    assert.equal(done.address, "/ui/login/signed-in", done.html);
    assert.match(done.html, /Ada Lovelace/);
    const gone = await browser.open("/ui/setup");
    assert.equal(gone.status, 404);
    assert.match(gone.title, /There is nothing to set up/);
    assert.equal((await browser.submit(page, { ...entered, setup_code: code })).status, 404);
    await signedIn(server, { loginName: "ada@doorward.localhost", password: goodPassword });
    const session = await server.rest("POST", "/v2/sessions", {
      body: { checks: { user: { loginName: "ada" }, password: { password: goodPassword } } },
    });
    const { sessionToken: token } = session.body;
    assert.equal((await server.rest("POST", "/v2/users", { body: {}, token })).status, 200);
  });

  test("after an error the entered values except the password are kept, and each error names its field", async (t) => {
    const server = await start(t);
    const code = await link(server);
    const browser = new TestBrowser(server);
    const page = await browser.open("/ui/setup");
    const tries: [Record<string, string>, RegExp][] = [
      [{ given_name: "" }, /first name/],
      [{ email: "ada@" }, /email address/],
      [{ username: "a b" }, /username/i],
      [{ password: "short", new_password_repeated: "short" }, /at least 12/],
      [{ new_password_repeated: "other" }, /do not match/],
      [{ setup_code: "wrong" }, /setup code is wrong/],
      [{ setup_code: "" }, /Enter the setup code/],
    ];
    for (const [change, sentence] of tries) {
      const answer = await browser.submit(page, { ...entered, setup_code: code, ...change });
      assert.equal(answer.status, 200);
      assert.match(answer.alert ?? "", sentence, JSON.stringify(change));
      assert.match(answer.html, /value="Lovelace"/);
      assert.doesNotMatch(answer.html, new RegExp(goodPassword));
    }
    const weak = { password: "short", new_password_repeated: "short" };
    const several = await browser.submit(page, { ...entered, ...weak, setup_code: "", email: "ada@", username: "a b" });
    for (const sentence of [/not an email address/, /username/i, /at least 12/, /Enter the setup code/]) {
      assert.match(several.alert ?? "", sentence, "all at once");
    }
    const nothing = await browser.submit(page, { ...Object.fromEntries(Object.keys(entered).map((key) => [key, ""])) });
    assert.equal(nothing.html.match(/aria-invalid="true"/g)?.length, 6);
    assert.equal((await browser.submit(page, { ...entered, setup_code: code })).address, "/ui/login/signed-in");
  });

  both("of 20 concurrent uses of the setup link exactly one creates the administrator", async (t) => {
    const server = await start(t);
    const code = await link(server);
    const browsers = Array.from({ length: 20 }, () => new TestBrowser(server));
    const pages = await Promise.all(browsers.map((browser) => browser.open("/ui/setup")));
    const ends = await Promise.all(
      browsers.map((browser, index) =>
        browser.submit(pages[index] ?? assert.fail(), { ...entered, username: `ada${index}`, setup_code: code }),
      ),
    );
    assert.equal(ends.filter(({ address }) => address === "/ui/login/signed-in").length, 1);
    assert.deepEqual(new Set(ends.map(({ status }) => status)), new Set([200, 404]));
  });

  test("the page does not exist without a link, with an old one, or from another machine", async (t) => {
    const server = await start(t);
    assert.equal((await new TestBrowser(server).open("/ui/setup")).status, 404);
    await link(server);
    const browser = new TestBrowser(server);
    assert.equal((await browser.open("/ui/setup")).status, 200);
    for (const header of ["x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host"]) {
      assert.equal((await browser.open("/ui/setup", { [header]: "127.0.0.1" })).status, 404, header);
    }
    server.clock.now += 15 * 60_000 + 1;
    assert.equal((await browser.open("/ui/setup")).status, 404);
  });

  test("only the exact code of the newest link works, and five wrong codes end it", async (t) => {
    const server = await start(t);
    const browser = new TestBrowser(server);
    const older = await link(server);
    const send = async (setupCode: string) => {
      const page = await browser.open("/ui/setup");
      return browser.submit(page, { ...entered, setup_code: setupCode });
    };
    const code = await link(server);
    for (const wrong of [older, code.slice(0, -1), code.toLowerCase(), `${code}A`, `${code.slice(0, -1)}-`]) {
      assert.match((await send(wrong)).alert ?? "", /setup code is wrong/, wrong);
    }
    assert.match((await send(code)).alert ?? "", /setup code is wrong/);
    assert.equal((await send(await link(server))).address, "/ui/login/signed-in");
  });
});
