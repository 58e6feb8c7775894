import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { callUser } from "../factor/support.ts";
import { isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { proveDomain } from "../support/people/prove-domain.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import { knowProvider } from "./attempts.ts";
import { addStaff } from "./trusted.ts";

const address = "vera@bank.example";
const minute = 60_000;
/** More than a list of candidates holds. */
const crowd = 22;

/** A bank that owns a domain, evil, and a provider of the instance that links accounts by addresses. */
async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const provider = await startTestProvider(t, () => server.clock.now);
  const [bank, evil] = [await addStaff(server, "bank"), await addStaff(server, "evil")];
  const idp = await knowProvider(server, provider, { options: { isAutoCreation: true, autoLinking: "email" } });
  await changeSettings(server, "login", { identityProviderIds: [idp] });
  await proveDomain(server, bank.organizationId, "bank.example");
  const clients = [await addClient(server), await addClient(server, {}, "Bank", bank.organizationId)];
  /** Makes a user with the address, verified by whose token it is; without one, by the instance. */
  const add = async (organizationId: string, username: string, token?: string): Promise<string> => {
    const profile = { givenName: "Vera", familyName: "R" };
    const human = { profile, email: { email: address, isVerified: true } };
    return (await callUser(server, "CreateUser", { organizationId, username, human }, token)).id;
  };
  const addCrowd = async () => {
    for (let count = 0; count < crowd; count++) await add(evil.organizationId, `double-${count}`, evil.owner.token);
    server.clock.now += minute;
  };
  /** Comes with an account of the address; returns the user whom the application is told of, or the page's words. */
  const comes = async (client: SignInClient): Promise<string> => {
    server.clock.now += minute;
    provider.user = { sub: "vera", given_name: "Vera", family_name: "R", email: address, email_verified: true };
    const { browser, page, codeVerifier } = await visit(server, client, {
      scope: `openid urn:service:iam:org:idp:id:${idp}`,
    });
    const back = provider.signIn(page.address);
    const end = await browser.open(back.pathname + back.search);
    if (!isBack(end)) return end.html;
    const { body } = await client.exchange(end.address, codeVerifier);
    return JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString()).sub;
  };
  const comesToBoth = async () => {
    const told: string[] = [];
    for (const client of clients) told.push(await comes(client));
    return told;
  };
  return { server, bank, evil, add, addCrowd, comesToBoth };
}

serversInTurn((start, test) => {
  for (const by of ["owner of the domain", "instance"] as const) {
    test(`no number of other users hides whom the ${by} verified from automatic linking (A13)`, async (t) => {
      const { bank, add, addCrowd, comesToBoth } = await setUp(start, t);
      await addCrowd();
      const vera = await add(bank.organizationId, "vera", by === "instance" ? undefined : bank.owner.token);
      assert.deepEqual(await comesToBoth(), [vera, vera]);
    });
  }

  test("nor does the owner of an address become one of them", async (t) => {
    const { addCrowd, comesToBoth } = await setUp(start, t);
    await addCrowd();
    for (const page of await comesToBoth()) assert.match(page, /manages your account/, "and is asked");
  });
});
