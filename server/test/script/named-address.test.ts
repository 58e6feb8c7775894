import assert from "node:assert/strict";
import { test } from "node:test";
import { inboxOf } from "../factor/support.ts";
import { knowProvider } from "../identity-provider/attempts.ts";
import { isBack, visit } from "../login/support/sign-in.ts";
import { findPeople } from "../login/support/sign-up.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { appoint } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { external, type Point, scriptsOf } from "./support/scripts.ts";

const named = "mallory@evil.example";
const reported = "vera@mail.example";

const name = `function name(ctx, api) { api.setEmail("${named}"); api.setEmailVerified(true); }`;
const repeat = `function name(ctx, api) { api.setEmail("${reported}"); api.setEmailVerified(true); }`;

interface Case {
  readonly title: string;
  readonly point: Point;
  readonly script: string;
  readonly address: string;
  readonly isOwner: boolean;
  readonly isGood: boolean;
}

const cases: readonly Case[] = [
  {
    title:
      "an address that a script named after the provider's answer opens no account of an owner of the instance (A13)",
    point: external.postAuthentication,
    script: name,
    address: named,
    isOwner: true,
    isGood: false,
  },
  {
    title: "neither does one that a script named before the creation (A13)",
    point: external.preCreation,
    script: name,
    address: named,
    isOwner: true,
    isGood: false,
  },
  {
    title: "it is good for a user who administers nothing",
    point: external.postAuthentication,
    script: name,
    address: named,
    isOwner: false,
    isGood: true,
  },
  {
    title: "an address that the provider reported stays the provider's, although a script repeats it",
    point: external.postAuthentication,
    script: repeat,
    address: reported,
    isOwner: true,
    isGood: true,
  },
];

eachServer((start) => {
  for (const { title, point, script, address, isOwner, isGood } of cases) {
    test(title, async (t) => {
      const server = await start(t);
      const provider = await startTestProvider(t, () => server.clock.now);
      const idp = await knowProvider(server, provider, { options: { isAutoCreation: true } });
      await changeSettings(server, "login", { identityProviderIds: [idp] });
      const { organizationId, token } = await addOwnedOrganization(server, "Tenant");
      const client = await addClient(server, {}, "Tenant's", organizationId);
      await scriptsOf(server).run(point, "name", script, { organizationId, token });
      server.clock.now += 10_000;
      const account = { given_name: "V", family_name: "R", email: reported, email_verified: true };
      provider.user = { sub: "vera", preferred_username: "vera", ...account };
      const scope = `openid urn:service:iam:org:idp:id:${idp} urn:service:iam:org:id:${organizationId}`;
      const { browser, page: away } = await visit(server, client, { scope });
      const back = provider.signIn(away.address);
      assert.ok(isBack(await browser.open(back.pathname + back.search)));
      const [{ userId } = { userId: "" }] = await findPeople(server, address);
      assert.notEqual(userId, "");
      if (isOwner) await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);

      server.clock.now += 120_000;
      const fresh = await visit(server, client);
      const asked = await fresh.browser.submit(fresh.page, { login_name: address }, { action: "/ui/login" });
      await fresh.browser.submit(await fresh.browser.open(asked.address.replace("/password?", "/forgotten?")), {});
      const links = (await inboxOf(server, address)).filter(({ text }) => text.includes("password-reset"));
      assert.equal(links.length, isGood ? 1 : 0);
    });
  }
});
