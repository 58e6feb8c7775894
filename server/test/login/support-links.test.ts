import assert from "node:assert/strict";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { signedIn, visit } from "./support/sign-in.ts";

const links = {
  tosLink: "https://acme.example/terms/{{.Lang}}",
  privacyPolicyLink: "https://acme.example/privacy",
  accessibilityLink: "https://acme.example/{{.Lang}}/accessibility",
  helpLink: "https://help.acme.example/",
  supportEmail: "support@acme.example",
  docsLink: "https://docs.acme.example/",
  customLink: "https://acme.example/jobs",
  customLinkText: "Jobs & more",
};
const inOrder = [
  "https://acme.example/terms/en",
  "https://acme.example/privacy",
  "https://acme.example/en/accessibility",
  "https://help.acme.example/",
  "mailto:support@acme.example",
  "https://docs.acme.example/",
  "https://acme.example/jobs",
];

/** Where the links of a page's footer lead that are not to another language. */
const footerOf = (html: string): string[] =>
  [...(/<footer>[\s\S]*<\/footer>/.exec(html)?.[0] ?? "").matchAll(/<a href="([^"]*)" rel="noopener"/g)].map(
    ([, href = ""]) => href,
  );

serversInTurn((start, test) => {
  test("terms, privacy and help are at the same place of every page, in the same order; registration names what is accepted", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const { browser, page } = await visit(server, client);
    assert.deepEqual(footerOf(page.html), [], "nothing is shown that nobody set");
    const plain = await browser.open(page.address.replace("/login?", "/login/register?"));
    assert.doesNotMatch(plain.html, /you accept/);
    await changeSettings(server, "legal_support", links);
    const own = await signedIn(server, ada);
    const pages = [
      await browser.open(page.address),
      await browser.submit(page, { login_name: "ada" }),
      await browser.open(page.address.replace("/login?", "/login/forgotten?")),
      await browser.open(page.address.replace("/login?", "/login/key?")),
      await browser.open("/ui/login?authRequest=999"),
      await own.open("/ui/login/signed-in"),
      await own.open("/ui/account"),
      await own.open("/ui/logout"),
      await new TestBrowser(server).open("/ui/login/device"),
    ];
    for (const { address, html } of pages) assert.deepEqual(footerOf(html), inOrder, address);
    assert.match(pages[0]?.html ?? "", /accessibility"[^>]*>Accessibility statement<\/a>/);
    assert.match(pages[0]?.html ?? "", /<bdi>Jobs &amp; more<\/bdi>/);
    const register = await browser.open(page.address.replace("/login?", "/login/register?"));
    const [main = ""] = register.html.split("<footer>");
    assert.match(main, /By creating the account you accept:/);
    assert.match(main, /href="https:\/\/acme.example\/terms\/en"[\s\S]*href="https:\/\/acme.example\/privacy"/);
    const german = await browser.open(`${register.address}&language=de`);
    assert.match(german.html, /href="https:\/\/acme.example\/terms\/de"/);
  });

  test("an organization has links of its own; an invalid address is not linked", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    await changeSettings(server, "legal_support", { ...links, supportEmail: 'a"@x?body=1', customLinkText: "" });
    const organizationId = await addOrganization(server, "Acme");
    await changeSettings(server, "legal_support", { tosLink: "https://other.example/terms" }, organizationId);
    const instance = await visit(server, client);
    assert.deepEqual(footerOf(instance.page.html), [...inOrder.slice(0, 4), "https://docs.acme.example/"]);
    const scope = `openid urn:service:iam:org:id:${organizationId}`;
    const own = await addClient(server, {}, "Own", organizationId);
    assert.equal(footerOf((await visit(server, own, { scope })).page.html)[0], "https://other.example/terms");
    const { browser, page } = await visit(server, client, { scope });
    assert.deepEqual(footerOf(page.html), footerOf(instance.page.html), "an application of another one");
    const register = await browser.open(page.address.replace("/login?", "/login/register?"));
    const [main = "", footer = ""] = register.html.split("<footer>");
    assert.match(main, /you accept:[\s\S]*other\.example\/terms/, "the account is made in the organization");
    assert.doesNotMatch(footer, /other\.example/);
  });

  test("links of the link settings follow, in their order, under their words, and one of a kind replaces that of the others", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    await changeSettings(server, "legal_support", links);
    const settings = (method: string, body: object) =>
      server.connect(`service.settings.v2.SettingsService/${method}`, body);
    const set = async (list: object[], ctx: object = {}) => {
      const answer = await settings("SetLinkSettings", { links: list, ...ctx });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const translations = { footer: { status: "Is everything <up>?", terms: "House rules" } };
    const said = await settings("SetHostedLoginTranslation", { instance: true, locale: "en", translations });
    assert.equal(said.status, 200, JSON.stringify(said.body));
    await set([
      {
        type: "LINK_TYPE_CUSTOM",
        url: "https://status.acme.example/",
        translationKey: "footer.status",
        target: "LINK_TARGET_BLANK",
      },
      {
        type: "LINK_TYPE_TERMS_OF_SERVICE",
        url: "https://acme.example/rules/{{.Lang}}",
        translationKey: "footer.terms",
      },
      { type: "LINK_TYPE_SUPPORT", url: "mailto:help@acme.example?subject=Login" },
      { url: "https://acme.example/more", translationKey: "footer.unknown" },
    ]);
    const { browser, page } = await visit(server, client);
    assert.deepEqual(footerOf(page.html), [
      "https://acme.example/privacy",
      "https://acme.example/en/accessibility",
      "https://help.acme.example/",
      "https://docs.acme.example/",
      "https://acme.example/jobs",
      "https://status.acme.example/",
      "https://acme.example/rules/en",
      "mailto:help@acme.example?subject=Login",
      "https://acme.example/more",
    ]);
    assert.match(
      page.html,
      /<a href="https:\/\/status[^>]* target="_blank"><bdi>Is everything &lt;up&gt;\?<\/bdi><\/a>/,
    );
    assert.match(page.html, /<a href="https:\/\/acme\.example\/rules\/en" rel="noopener"><bdi>House rules<\/bdi><\/a>/);
    assert.match(page.html, /<a href="mailto:help[^>]*>Support<\/a>/, "without words of its own, those of its kind");
    assert.match(page.html, /<bdi>acme\.example<\/bdi>/, "without a kind, where it leads");
    const register = await browser.open(page.address.replace("/login?", "/login/register?"));
    assert.match(register.html.split("<footer>")[0] ?? "", /By creating the account you accept:[\s\S]*House rules/);
    const organizationId = await addOrganization(server, "Acme");
    await set([{ type: "LINK_TYPE_HELP", url: "https://other.example/help" }], { ctx: { orgId: organizationId } });
    const own = await addClient(server, {}, "Own", organizationId);
    const scope = `openid urn:service:iam:org:id:${organizationId}`;
    assert.deepEqual(footerOf((await visit(server, own, { scope })).page.html).at(-1), "https://other.example/help");
  });
});
