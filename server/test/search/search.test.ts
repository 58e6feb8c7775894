import assert from "node:assert/strict";
import { test } from "node:test";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { systemUser } from "../support/people/system-user.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

interface Result {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly state: string;
}

async function search(server: TestServer, text: string, given: object = {}, token?: string): Promise<Result[]> {
  const options = token === undefined ? {} : { token };
  const { status, body } = await server.rest("POST", "/v2/search", { body: { text, ...given }, ...options });
  assert.equal(status, 200, JSON.stringify(body));
  return (body.results ?? []).map(({ kind, state = "", ...result }: Result) => ({
    ...result,
    kind: kind.replace("SEARCH_RESULT_KIND_", "").toLowerCase(),
    state: state.replace("SEARCH_RESULT_STATE_", "").toLowerCase(),
  }));
}

const shortly = (results: readonly Result[]): string[] => results.map(({ kind, name }) => `${kind} ${name}`);

async function must(server: TestServer, method: string, body: object) {
  const made = await server.connect(`service.${method}`, body);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body;
}

eachServer((start) => {
  test("a search finds what begins with a text or has it as its id", async (t) => {
    const { config, tokenFor } = systemUser(t);
    const server = await start(t, { config });
    const acme = await addOwnedOrganization(server, "Heron Works");
    const { organizationId } = acme;
    const { id: userId } = await must(server, "user.v2.UserService/CreateUser", {
      organizationId,
      username: "hedwig",
      human: {
        profile: { givenName: "Hedwig", familyName: "Überall", nickName: "Heddy" },
        email: { email: "Contact@Hedwig.example", isVerified: true },
        phone: { phone: "+41791230001", isVerified: true },
      },
    });
    const { projectId } = await must(server, "project.v2.ProjectService/CreateProject", {
      organizationId,
      name: "Heron 100%_done",
    });

    await t.test("users by each of their texts, with what they were found by", async () => {
      for (const [text, detail] of [
        ["hedwig ü", "hedwig@heron-works.localhost"],
        ["ÜBER", "hedwig@heron-works.localhost"],
        ["  heddy ", "hedwig@heron-works.localhost"],
        ["HEDWIG@heron", "hedwig@heron-works.localhost"],
        ["contact@", "Contact@Hedwig.example"],
        ["+41 79 123-00", "+41791230001"],
        ["0041791230001", "+41791230001"],
        [userId, "hedwig@heron-works.localhost"],
      ] as const) {
        const [found, ...others] = (await search(server, text)).filter(({ kind }) => kind !== "events");
        assert.deepEqual(others, [], text);
        assert.deepEqual(
          found,
          {
            kind: "user",
            id: userId,
            name: "Hedwig Überall",
            detail,
            organizationId,
            organizationName: "Heron Works",
            state: "active",
            projectId: "",
            grantedOrganizationId: "",
            userId: "",
          },
          text,
        );
      }
      for (const text of ["edwig", "hedwig u", "%", "_", "'", "   "]) {
        assert.deepEqual(await search(server, text), [], text);
      }
    });

    await t.test("special characters are ordinary, and invalid texts are refused", async () => {
      assert.deepEqual(shortly(await search(server, "heron 100%_")), ["project Heron 100%_done"]);
      assert.deepEqual(shortly(await search(server, "heron 100_")), []);
      for (const text of ["", "x".repeat(201), "a\0b"]) {
        const { status } = await server.rest("POST", "/v2/search", { body: { text } });
        assert.equal(status, 400, JSON.stringify(text));
      }
      assert.equal((await server.rest("POST", "/v2/search", { body: { text: "a" }, token: null })).status, 401);
      const byConnect = await server.connect("service.search.v2.SearchService/Search", { text: projectId });
      assert.equal(byConnect.body.results[0].kind, "SEARCH_RESULT_KIND_PROJECT");
    });

    await t.test("at most eight of a kind, what has the text as its id first, then by name", async () => {
      const ids: string[] = [];
      for (let n = 0; n < 10; n++) {
        const made = await must(server, "group.v2.GroupService/CreateGroup", {
          organizationId,
          name: `Heron ${9 - n}`,
        });
        ids.push(made.id);
      }
      const found = (await search(server, "heron")).filter(({ kind }) => kind === "group");
      assert.equal(found.length, 8);
      assert.deepEqual(shortly(found), shortly(found).toSorted());
      const named = await must(server, "group.v2.GroupService/CreateGroup", { organizationId, name: ids[0] ?? "" });
      const both = (await search(server, ids[0] ?? "")).filter(({ kind }) => kind === "group");
      assert.deepEqual(
        both.map(({ id }) => id),
        [ids[0], named.id],
      );
    });

    await t.test("within an organization, and what was granted to it", async () => {
      const partner = await addOwnedOrganization(server, "Heron Partner");
      await must(server, "project.v2.ProjectService/CreateProjectGrant", {
        projectId,
        grantedOrganizationId: partner.organizationId,
        roleKeys: [],
      });
      const within = { organizationId: partner.organizationId };
      const expected = ["organization Heron Partner", "project Heron 100%_done", "project_grant Heron 100%_done"];
      assert.deepEqual(shortly(await search(server, "heron", within)), expected);
      const byPartner = await search(server, "heron", {}, partner.token);
      assert.deepEqual(shortly(byPartner), expected);
      // The partner may not read the owner's organization, nor others of its things.
      assert.deepEqual(
        byPartner.map(({ organizationName }) => organizationName),
        ["Heron Partner", "", ""],
      );
      assert.deepEqual(await search(server, "heron", { organizationId }, partner.token), []);
      assert.deepEqual(await search(server, userId, {}, partner.token), []);
    });

    await t.test("callers without a role find what is their own", async () => {
      const person = await addPerson(server, { username: "heron-fan", organizationId });
      const { sessionId, token } = await sessionOf(server, person);
      assert.deepEqual(shortly(await search(server, "heron", {}, token)), ["user heron-fan Example"]);
      const [session] = await search(server, sessionId, {}, token);
      assert.deepEqual(
        [session?.kind, session?.detail, session?.organizationName],
        ["session", person.loginName, "Heron Works"],
      );
      for (const id of [userId, projectId, organizationId, acme.userId]) {
        assert.deepEqual(await search(server, id, {}, token), []);
      }
      assert.deepEqual(shortly(await search(server, acme.userId, {}, acme.token)), [
        `service_account owner-of-${organizationId}`,
      ]);
    });

    await t.test("states, targets, and the events of what was deleted", async () => {
      await must(server, "user.v2.UserService/LockUser", { userId });
      assert.equal((await search(server, "hedwig ü"))[0]?.state, "locked");
      const { id: target } = await must(server, "action.v2.ActionService/CreateTarget", {
        name: "hook",
        restAsync: {},
        timeout: "10s",
        endpoint: "https://hooks.example/",
      });
      assert.deepEqual(shortly(await search(server, target)), ["target hook", "events target"]);
      assert.deepEqual(await search(server, target, {}, acme.token), []);
      await must(server, "user.v2.UserService/DeleteUser", { userId });
      const [events, ...others] = await search(server, userId);
      assert.deepEqual(others, []);
      assert.deepEqual([events?.kind, events?.name, events?.detail], ["events", "user", "user.deleted"]);
      assert.deepEqual(await search(server, userId, {}, acme.token), []);
    });

    await t.test("another instance has nothing in common", async () => {
      const machine = {
        userName: "robot",
        name: "Heron",
        personalAccessToken: { expirationDate: "2100-01-01T00:00:00Z" },
      };
      const { body: other } = await server.rest("POST", "/service.system.v1.SystemService/CreateInstance", {
        token: tokenFor(server),
        body: { instanceName: "Heron", firstOrgName: "Heron far", customDomain: "far.example", machine },
      });
      const far = async (text: string, given: object = {}) => {
        const options = { token: other.pat, body: { text, ...given } };
        const { status, body } = await server.byHost("far.example", "POST", "/v2/search", options);
        assert.equal(status, 200, JSON.stringify(body));
        return (body.results ?? []).map(({ name }: Result) => name);
      };
      assert.deepEqual(await far("heron"), ["Heron", "Heron far"]);
      for (const text of [projectId, organizationId, acme.userId]) assert.deepEqual(await far(text), []);
      assert.deepEqual(await far("heron", { organizationId }), []);
      assert.deepEqual(await search(server, "heron far"), []);
      assert.deepEqual(shortly(await search(server, "heron-f")), ["user heron-fan Example"]);
    });

    await t.test("of many service accounts and people of one name, each kind is found", async () => {
      const home = await defaultOrganization(server);
      for (let n = 0; n < 17; n++) await addServiceAccount(server, home, `swan-${n}`);
      await addPerson(server, { username: "swanhild" });
      const found = await search(server, "swan");
      assert.equal(found.filter(({ kind }) => kind === "service_account").length, 8);
      assert.deepEqual(shortly(found.filter(({ kind }) => kind === "user")), ["user swanhild Example"]);
    });

    await t.test("administrators of several organizations find what is in each", async () => {
      const others = [await addOrganization(server, "Swan One"), await addOrganization(server, "Swan Two")];
      const admin = await addServiceAccount(server, await defaultOrganization(server), "both");
      for (const id of others) await appoint(server, admin, { organizationId: id }, ["ORG_OWNER_VIEWER"]);
      assert.deepEqual(shortly(await search(server, "swan", {}, admin.token)), [
        "organization Swan One",
        "organization Swan Two",
      ]);
    });
  });
});
