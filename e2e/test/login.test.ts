import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { Browser, Page } from "playwright-core";
import { issueSetupLink } from "../../server/src/domain/setup/index.ts";
import { testCall } from "../../server/test/support/operations/call.ts";
import { addPerson, goodPassword } from "../../server/test/support/people/people.ts";
import { startServer, type TestServer } from "../../server/test/support/servers/server.ts";
import { addClient, type SignInClient } from "../../server/test/support/sign-in/sign-in-client.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations } from "../support/page-checks.ts";

/** An application on another origin: it only shows what came back to it. */
async function startApplication(t: TestContext): Promise<string> {
  const application = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<title>Shop</title><p id="came">${request.url?.includes("code=") === true ? "code" : "nothing"}</p>`);
  });
  await new Promise<void>((resolve) => application.listen(0, "127.0.0.1", resolve));
  t.after(() => application.close());
  return `http://127.0.0.1:${(application.address() as AddressInfo).port}`;
}

async function setupCode({ app: { domain } }: TestServer): Promise<string> {
  const { instanceId = "" } = (await domain.findInstanceByHost("localhost")) ?? {};
  const secret = await issueSetupLink(domain, testCall({ instanceId, now: domain.clock() }));
  return secret?.reveal() ?? assert.fail("no setup link");
}

/** A person at a browser, who sees every page and notices what the browser complains about. */
class Person {
  readonly #page: Page;
  readonly #server: TestServer;
  readonly complaints: string[] = [];

  constructor(page: Page, server: TestServer) {
    this.#page = page;
    this.#server = server;
    page.on("console", (message) => this.complaints.push(`${page.url()}: ${message.text()}`));
    page.on("pageerror", (error) => this.complaints.push(`${page.url()}: ${error.message}`));
  }

  open(path: string): Promise<unknown> {
    return this.#page.goto(new URL(path, this.#server.origin).href);
  }

  async sees(heading: string): Promise<void> {
    await this.#page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor({ timeout: 10_000 });
    this.complaints.push(...(await axeViolations(this.#page, [{ colorScheme: "light", width: 1280 }])));
  }

  async fills(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      await this.#page.getByLabel(label, { exact: true }).fill(value);
    }
  }

  presses(button: string | RegExp): Promise<void> {
    return this.#page.getByRole("button", { name: button }).first().click();
  }

  follows(link: string): Promise<void> {
    return this.#page.getByRole("link", { name: link }).first().click();
  }

  async isAtShop(origin: string): Promise<void> {
    await this.#page.waitForURL(`${origin}/**`);
    assert.equal(await this.#page.textContent("#came"), "code");
  }

  get page(): Page {
    return this.#page;
  }
}

async function walk(t: TestContext, browser: Browser): Promise<void> {
  const server = await startServer(t);
  const origin = await startApplication(t);
  const client = await addClient(server, {
    redirectUris: [`${origin}/callback`],
    postLogoutRedirectUris: [`${origin}/bye`],
  });
  const context = await browser.newContext({ locale: "en" });
  const person = new Person(await context.newPage(), server);
  try {
    await setUp(person, server);
    await signInAtShop(person, server, { client, origin });
    await chooseAndLeave(person, { client, origin });
    assert.deepEqual(person.complaints, []);
  } finally {
    await context.close();
  }
}

async function setUp(person: Person, server: TestServer): Promise<void> {
  const code = await setupCode(server);
  await person.open(`/ui/setup#${code}`);
  await person.sees("Create your administrator");
  const names = { "First name": "Ada", "Last name": "Lovelace", "Email address": "ada@mail.example", Username: "ada" };
  await person.fills({ ...names, Password: goodPassword });
  assert.ok(!person.page.url().includes(code), "the code leaves the address bar");
  await person.presses("Create administrator");
  await person.sees("You are signed in");
  await person.follows("Sign out");
  await person.sees("Sign out");
  await person.presses("Sign out");
  await person.sees("You are signed out");
}

interface Shop {
  readonly client: SignInClient;
  readonly origin: string;
}

const pathTo = ({ client, origin }: Shop, parameters: Readonly<Record<string, string>> = {}): string =>
  client.start({ redirect_uri: `${origin}/callback`, ...parameters }).path;

async function signInAtShop(person: Person, server: TestServer, shop: Shop): Promise<void> {
  const bob = await addPerson(server, { username: "bob", changeRequired: true });
  await person.open(pathTo(shop));
  await person.sees("Sign in");
  await person.fills({ "Email or username": bob.loginName });
  await person.presses("Continue");
  await person.sees("Enter your password");
  await person.fills({ Password: "not the password" });
  await person.presses("Sign in");
  await person.page.getByRole("alert").filter({ hasText: "wrong" }).waitFor();
  await person.page.goBack();
  await person.page.goForward();
  await person.page.reload();
  await person.fills({ Password: bob.password });
  await person.presses("Sign in");
  await person.sees("Choose a new password");
  const chosen = "a sentence that bob has chosen";
  await person.fills({ "Current password": bob.password, "New password": chosen });
  await person.presses("Save and continue");
  await person.isAtShop(shop.origin);
}

async function chooseAndLeave(person: Person, shop: Shop): Promise<void> {
  await person.open(pathTo(shop, { prompt: "select_account" }));
  await person.sees("Choose an account");
  await person.follows("Use another account");
  await person.sees("Sign in");
  await person.fills({ "Email or username": "ada" });
  await person.presses("Continue");
  await person.sees("Enter your password");
  await person.fills({ Password: goodPassword });
  await person.presses("Sign in");
  await person.isAtShop(shop.origin);

  await person.open(pathTo(shop));
  await person.sees("Choose an account");
  await person.presses(/bob/);
  await person.isAtShop(shop.origin);

  const { clientId } = shop.client;
  const query = new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: `${shop.origin}/bye` });
  await person.open(`/oidc/v1/end_session?${query.toString()}`);
  await person.sees("Sign out");
  assert.equal(await person.page.getByRole("checkbox").count(), 2);
  await person.presses("Sign out");
  await person.page.waitForURL(`${shop.origin}/bye`);
  await person.open(pathTo(shop));
  await person.sees("Sign in");
}

browserTest("a user sets up, signs in, replaces a password, chooses an account and signs out", walk);
