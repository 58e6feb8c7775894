import assert from "node:assert/strict";
import { fetch } from "../../support/http/fetch.ts";
import { addSession, clientIsKnown, type FamilyFixtures, good, nodeAt } from "./family-fixtures.ts";
import { day, endSession, endSessionsOf, hour, isSessionGood, minute, second, setLife } from "./family-model.ts";
import { anyOf, indices, mostlyLive, type Step } from "./step.ts";

// Long ones kill everything, so they are few.
const spans = [
  ...new Array<number>(4).fill(second),
  ...new Array<number>(4).fill(30 * second),
  minute,
  minute,
  hour,
  hour,
  11 * hour,
  13 * hour,
  20 * day,
  31 * day,
];

// States that the two verbs lead from and to.
const from = { deactivate: "active", reactivate: "inactive" } as const;
const to = { deactivate: "inactive", reactivate: "active" } as const;

/** What happens to people, sessions, applications and keys, and that time passes. */
export const lifeSteps: readonly Step[] = [
  {
    name: "log out with an id token",
    weight: 2,
    pick: (model, choice) =>
      mostlyLive([...model.families.keys()], choice, (index) =>
        isSessionGood(model, model.families[index]?.session ?? 0),
      ),
    run: async (model, fixtures, family, node) => {
      const query = new URLSearchParams({ id_token_hint: fixtures.idTokens[family] ?? "" });
      const session = model.families[family]?.session ?? 0;
      const { cookie = "" } = fixtures.sessions[session] ?? {};
      const answer = await fetch(`${nodeAt(fixtures, node).origin}/oidc/v1/end_session?${query}`, {
        redirect: "manual",
        headers: { cookie },
      });
      assert.equal(answer.status, 303, await answer.text());
      endSession(model, session);
    },
  },
  {
    name: "end a session by the API",
    weight: 1,
    pick: (model, choice) =>
      anyOf(
        indices(model.sessions, ({ isLive, user }) => isLive && model.users[user] !== "deleted"),
        choice,
      ),
    run: async (model, fixtures, session, node) => {
      await good(
        nodeAt(fixtures, node).rest("DELETE", `/v2/sessions/${fixtures.sessions[session]?.sessionId}`, { body: {} }),
      );
      endSession(model, session);
    },
  },
  {
    name: "start another session",
    weight: 4,
    pick: (model, choice) =>
      anyOf(
        indices(model.users, (life) => life === "active"),
        choice,
      ),
    run: async (model, fixtures, user) => {
      await addSession(fixtures, user);
      model.sessions.push({ user, isLive: true });
    },
  },
  ...(["deactivate", "reactivate"] as const).map(
    (verb): Step => ({
      name: `${verb} a user`,
      weight: verb === "deactivate" ? 1 : 3,
      pick: (model, choice) =>
        anyOf(
          indices(model.users, (life) => life === from[verb]),
          choice,
        ),
      run: async (model, fixtures, user, node) => {
        await good(
          nodeAt(fixtures, node).rest("POST", `/v2/users/${fixtures.users[user]?.userId}/${verb}`, { body: {} }),
        );
        setLife(model.users, user, to[verb]);
        // Who comes back signs in again.
        if (verb === "deactivate") endSessionsOf(model, user);
      },
    }),
  ),
  {
    name: "delete a user",
    weight: 1,
    // Without any there would be nothing left to test.
    pick: (model, choice) => {
      const left = indices(model.users, (life) => life !== "deleted");
      return left.length < 2 ? undefined : anyOf(left, choice);
    },
    run: async (model, fixtures, user, node) => {
      await good(nodeAt(fixtures, node).rest("DELETE", `/v2/users/${fixtures.users[user]?.userId}`, { body: {} }));
      setLife(model.users, user, "deleted");
    },
  },
  ...(["deactivate", "reactivate"] as const).map(
    (verb): Step => ({
      name: `${verb} an application`,
      weight: verb === "deactivate" ? 1 : 3,
      pick: (model, choice) =>
        anyOf(
          indices(model.clients, (life) => life === from[verb]),
          choice,
        ),
      run: async (model, fixtures, client, node) => {
        await changeApplication(
          fixtures,
          client,
          verb === "deactivate" ? "DeactivateApplication" : "ReactivateApplication",
          node,
        );
        setLife(model.clients, client, to[verb]);
        await clientIsKnown(fixtures, client, verb === "reactivate");
      },
    }),
  ),
  {
    name: "delete an application",
    weight: 1,
    pick: (model, choice) => {
      const left = indices(model.clients, (life) => life !== "deleted");
      return left.length < 2 ? undefined : anyOf(left, choice);
    },
    run: async (model, fixtures, client, node) => {
      await changeApplication(fixtures, client, "DeleteApplication", node);
      setLife(model.clients, client, "deleted");
      await clientIsKnown(fixtures, client, false);
    },
  },
  {
    name: "change the signing key",
    weight: 2,
    pick: () => 0,
    run: async (_model, fixtures, _subject, node) => {
      const at = nodeAt(fixtures, node);
      const curve = { ecdsa: { curve: "ECDSA_CURVE_P256" } };
      const { id } = await good(at.connect("service.webkey.v2.WebKeyService/CreateWebKey", curve));
      await good(at.connect("service.webkey.v2.WebKeyService/ActivateWebKey", { id }));
    },
  },
  {
    name: "let time pass",
    weight: 5,
    pick: (_model, choice) => choice % spans.length,
    run: async (model, fixtures, choice) => {
      model.now += spans[choice] ?? 0;
      for (const { clock } of fixtures.cluster.nodes) clock.now = model.now;
    },
  },
];

async function changeApplication(fixtures: FamilyFixtures, client: number, verb: string, node: number): Promise<void> {
  const { projectId, clients } = fixtures;
  const body = { projectId, applicationId: clients[client]?.applicationId };
  await good(nodeAt(fixtures, node).connect(`service.application.v2.ApplicationService/${verb}`, body));
}
