import assert from "node:assert/strict";
import { languages } from "../../src/base/language.ts";
import { addMember, callUser, inboxOf, slugOf } from "../factor/support.ts";
import { enter } from "../login/support/sign-in.ts";
import { addOwnedOrganization, type OwnedOrganization } from "../support/people/owners.ts";
import { addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";
import { newsOf, ownerOf } from "./support/account.ts";

const permissions = "service.internal_permission.v2.InternalPermissionService";
const page = "/ui/account/appointments";

async function offer(
  server: TestServer,
  { organizationId, token }: OwnedOrganization,
  userId: string,
  roles: readonly string[] = ["ORG_OWNER"],
): Promise<RestAnswer["body"]> {
  const body = { userId, resource: { organizationId }, roles };
  const made = await server.connect(`${permissions}/CreateAdministrator`, body, { token });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body;
}

const withdraw = ({ connect }: TestServer, { organizationId, token }: OwnedOrganization, userId: string) =>
  connect(`${permissions}/DeleteAdministrator`, { userId, resource: { organizationId } }, { token });

serversInTurn((start, test, both) => {
  test("users see what they are asked to administer, and accept or decline it", async (t) => {
    const server = await start(t);
    const near = await addOwnedOrganization(server, "Near <b>&amp;");
    const far = await addOwnedOrganization(server, "Far");
    const person = await addPerson(server, { username: "ada" });
    const owner = await ownerOf(server, person);
    assert.doesNotMatch(owner.page.html, /account\/appointments/, "most people have no page for it");
    assert.match((await owner.open(page)).html, /You do not administer anything/);

    await offer(server, near, person.userId);
    await offer(server, far, person.userId);
    assert.match((await owner.open("/ui/account")).html, /account\/appointments/);
    const list = await owner.open(page);
    assert.match(list.html, /Near &lt;b&gt;&amp;amp;/, "names are text");
    assert.match(list.html, /Offered: <bdi>ORG_OWNER<\/bdi>/);
    const declined = await owner.browser.submit(list, {}, { action: "appointments?" });
    assert.match(newsOf(declined) ?? "", /declined/);
    assert.doesNotMatch(declined.html, />Far</, "the newest was declined");

    // Accepting needs a fresh authentication, and what is accepted is what was shown.
    const acceptHref = /href="(\/ui\/account\/appointments\/accept[^"]*)"/
      .exec(declined.html)?.[1]
      ?.replaceAll("&amp;", "&");
    assert.ok(acceptHref);
    server.clock.now += 6 * 60_000;
    const asked = await owner.browser.open(acceptHref);
    assert.match(asked.address, /^\/ui\/login/, "the sign-in is too old");
    const back = await enter({ browser: owner.browser, page: asked }, person);
    assert.match(back.address, /^\/ui\/account\/appointments\?session=/);
    const again =
      /href="(\/ui\/account\/appointments\/accept[^"]*)"/.exec(back.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const question = await owner.browser.open(again);
    assert.match(question.html, /You get these roles: ORG_OWNER/);
    const changed = {
      userId: person.userId,
      resource: { organizationId: near.organizationId },
      roles: ["ORG_OWNER_VIEWER"],
    };
    await server.connect(`${permissions}/UpdateAdministrator`, changed, { token: near.token });
    const other = await owner.browser.submit(question);
    assert.match(other.html, /The offered roles have changed/);
    assert.match(other.html, /You get these roles: ORG_OWNER_VIEWER/);
    const accepted = await owner.browser.submit(other);
    assert.match(newsOf(accepted) ?? "", /have these roles/);
    assert.match(accepted.html, /Roles: <bdi>ORG_OWNER_VIEWER<\/bdi>/);
    assert.doesNotMatch(accepted.html, /waiting for your answer/);
    assert.equal((await owner.browser.open(again)).address.split("?")[0], page, "answered once");
  });

  both("a form of another account, or of what was taken back, answers nothing", async (t) => {
    const server = await start(t);
    const near = await addOwnedOrganization(server, "Near");
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    await offer(server, near, ada.userId);
    const first = await ownerOf(server, ada);
    const list = await first.open(page);
    const href =
      /href="(\/ui\/account\/appointments\/accept[^"]*)"/.exec(list.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await ownerOf(server, bob, first.browser);
    const swapped = href.replace(first.sessionId, second.sessionId);
    assert.notEqual(swapped, href);
    assert.equal(
      (await first.browser.open(swapped)).address.split("?")[0],
      page,
      "nothing is offered to the other one",
    );
    const question = await first.browser.open(href);
    await withdraw(server, near, ada.userId);
    const late = await first.browser.submit(question);
    assert.equal(late.address.split("?")[0], page);
    assert.equal(newsOf(late), undefined);
    const stale = await first.browser.submit(list, {}, { action: "appointments?" });
    assert.equal(newsOf(stale), undefined, "nothing was declined");
    const own = await server.connect(`${permissions}/ListAdministrators`, {}, { token: near.token });
    assert.doesNotMatch(JSON.stringify(own.body), new RegExp(ada.userId));
  });

  both("users are told by mail who asks them, in a fixed text", async (t) => {
    const server = await start(t, { config: { messageLimits: { email: 100_000, sms: 100_000 } } });
    const name = "Evil https://evil.example/x <b>now</b> evil.example a@evil.example";
    const near = await addOwnedOrganization(server, name);
    const { userId } = await addMember(server, { username: "ada" });
    const inbox = async () => (await inboxOf(server, "ada@mail.example")).map(({ kind }) => kind);
    await offer(server, near, userId);
    const [message] = await inboxOf(server, "ada@mail.example");
    assert.equal(message.kind, "appointment_offered");
    assert.equal(message.subject, "You are invited to become an administrator");
    assert.match(message.text, /The organization “Evil https evil example x b now b evil example a evil/);
    const words = message.text.replace("Account: ada@doorward.localhost (", "");
    const links = [...words.matchAll(/\S+[.:/@]\S+/g)].map(([link]) => link);
    assert.deepEqual(links, [`${server.origin}/ui/account/appointments`], "the only link is ours");
    assert.doesNotMatch(message.text, /ORG_OWNER|<b>/);

    // A few a day, and none of them holds back what tells of a change of the account.
    for (let round = 0; round < 6; round++) {
      await withdraw(server, near, userId);
      await offer(server, near, userId);
    }
    assert.deepEqual(await inbox(), ["appointment_offered", "appointment_offered", "appointment_offered"]);
    await callUser(server, "AddOTPEmail", { userId });
    assert.ok((await inbox()).includes("factor_added"));
    const state = await server.connect(`${permissions}/ListAdministrators`, {}, { token: near.token });
    assert.match(JSON.stringify(state.body), /PENDING/, "without a message the account page tells");

    // Who is appointed at once is not asked; roles beyond what was accepted are asked for.
    const grace = await addMember(server, { username: "grace" });
    const appointed = {
      userId: grace.userId,
      resource: { organizationId: near.organizationId },
      roles: ["ORG_OWNER_VIEWER"],
    };
    assert.equal((await server.connect(`${permissions}/CreateAdministrator`, appointed)).status, 200);
    assert.deepEqual(await inboxOf(server, "grace@mail.example"), []);
    const more = { ...appointed, roles: ["ORG_OWNER_VIEWER", "ORG_OWNER"] };
    assert.equal((await server.connect(`${permissions}/UpdateAdministrator`, more, { token: near.token })).status, 200);
    assert.deepEqual(
      (await inboxOf(server, "grace@mail.example")).map(({ kind }) => kind),
      ["appointment_offered"],
    );
  });

  test("one organization can have at most twenty open offers for a user", async (t) => {
    const server = await start(t);
    const near = await addOwnedOrganization(server, "Near");
    const far = await addOwnedOrganization(server, "Far");
    const person = await addPerson(server, { username: "ada" });
    const { userId } = person;
    const ask = async ({ organizationId, token }: OwnedOrganization, number: number) => {
      const project = { organizationId, name: `Project ${number}` };
      const { body } = await server.connect("service.project.v2.ProjectService/CreateProject", project, { token });
      const resource = { projectId: body.projectId ?? body.id };
      const made = await server.connect(
        `${permissions}/CreateAdministrator`,
        { userId, resource, roles: ["PROJECT_OWNER"] },
        { token },
      );
      return { resource, slug: slugOf(made) };
    };
    const first = await ask(near, 0);
    for (let number = 1; number < 20; number++) assert.equal((await ask(near, number)).slug, "done");
    assert.equal((await ask(near, 20)).slug, "membership.offers_unanswered");
    assert.equal((await ask(far, 0)).slug, "done", "another organization has its own");
    const owner = await ownerOf(server, person);
    const pages = [await owner.open(page), await owner.open(`${page}?from=10`), await owner.open(`${page}?from=20`)];
    const shown = pages.map(({ html }) => html.match(/waiting for your answer/g)?.length ?? 0);
    assert.deepEqual(shown, [10, 10, 1]);
    const withdrawal = { userId, resource: first.resource };
    await server.connect(`${permissions}/DeleteAdministrator`, withdrawal, { token: near.token });
    assert.equal((await ask(near, 21)).slug, "done");
  });

  test("the message is in the language of the user, for every language", async (t) => {
    const server = await start(t);
    const near = await addOwnedOrganization(server, "Near");
    const texts = new Set<string>();
    for (const language of languages) {
      const { userId } = await addMember(server, { username: `user-${language}` });
      const profile = { givenName: "G", familyName: "F", preferredLanguage: language };
      await callUser(server, "UpdateUser", { userId, human: { profile } });
      await offer(server, near, userId);
      const [message] = await inboxOf(server, `user-${language}@mail.example`);
      assert.match(message.text, /Near/, language);
      texts.add(message.text.split("\n").slice(2).join("\n"));
    }
    assert.equal(texts.size, languages.length);
  });
});
