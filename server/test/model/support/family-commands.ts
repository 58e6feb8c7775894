import assert from "node:assert/strict";
import fc from "fast-check";
import {
  authorize,
  day,
  endSession,
  type FamilyModel,
  hour,
  isActive,
  isClientGood,
  isSessionGood,
  minute,
  redeem,
  refresh,
  revokeAccessToken,
  revokeFamily,
  second,
  setLife,
} from "./family-model.ts";
import { addSession, clientIsKnown, type FamilyWorld, good, introspect, nodeAt } from "./family-world.ts";

type Command = fc.AsyncCommand<FamilyModel, FamilyWorld>;

/** A step: `pick` finds its subject by the model (undefined: not now), `run` does it on both sides and compares. */
interface Step<Subject> {
  readonly name: string;
  pick(model: Readonly<FamilyModel>, choice: number): Subject | undefined;
  run(model: FamilyModel, world: FamilyWorld, subject: Subject, node: number): Promise<void>;
}

const any = (list: readonly unknown[], choice: number): number | undefined =>
  list.length === 0 ? undefined : choice % list.length;

const indices = <Item>(list: readonly Item[], fits: (item: Item, index: number) => boolean): number[] =>
  list.flatMap((item, index) => (fits(item, index) ? [index] : []));

const anyOf = (list: readonly number[], choice: number): number | undefined => list[choice % list.length];

const token = "/oauth/v2/token";

const steps: readonly (Step<number> & { readonly weight: number })[] = [
  {
    name: "sign in",
    weight: 6,
    pick: (model, choice) => {
      const sessions = indices(model.sessions, (_, index) => isSessionGood(model, index));
      const clients = indices(model.clients, (life) => life === "active");
      if (sessions.length === 0 || clients.length === 0) return undefined;
      return (sessions[choice % sessions.length] as number) * 2 + (clients[choice % clients.length] as number);
    },
    run: async (model, world, subject) => {
      const { first } = world.cluster;
      const [session, client] = [Math.floor(subject / 2), subject % 2];
      const scope = "openid offline_access";
      const known = { client: world.clients[client], session: world.sessions[session], scope } as const;
      world.codes.push(await first.signIn(known as Parameters<typeof first.signIn>[0]));
      authorize(model, client, session);
    },
  },
  {
    name: "redeem",
    weight: 8,
    // The newest first, because a minute is short; what a used code gave is remembered for a day.
    pick: (model, choice) => {
      const recent = indices(model.codes, ({ expiresAt }) => model.now < expiresAt + day / 2);
      return choice % 3 === 0
        ? anyOf(recent, choice)
        : recent.findLast((index) => model.codes[index]?.family === undefined);
    },
    run: async (model, world, index, node) => {
      const client = world.clients[model.codes[index]?.client ?? 0];
      const { code = "", codeVerifier = "" } = world.codes[index] ?? {};
      const form = { grant_type: "authorization_code", code, code_verifier: codeVerifier };
      const answer = await nodeAt(world, node).form(
        token,
        { ...form, redirect_uri: client?.redirectUri ?? "" },
        client?.basic,
      );
      compareUse(model, world, answer, { isGood: redeem(model, index), client: model.codes[index]?.client ?? 0 });
      if (answer.status === 200) world.idTokens.push(answer.body.id_token);
    },
  },
  {
    name: "refresh",
    weight: 10,
    pick: (model, choice) =>
      anyOf(
        indices(model.refreshTokens, ({ isSpent }) => !isSpent),
        choice,
      ),
    run: useRefreshToken,
  },
  {
    name: "use a spent refresh token",
    weight: 2,
    // A spent token is remembered for as long as it would have lived.
    pick: (model, choice) =>
      anyOf(
        indices(model.refreshTokens, ({ isSpent, expiresAt }) => isSpent && model.now < expiresAt),
        choice,
      ),
    run: useRefreshToken,
  },
  {
    name: "use the refresh token of another client",
    weight: 2,
    pick: (model, choice) => any(model.refreshTokens, choice),
    run: async (model, world, index, node) => {
      const other = otherClient(model, index);
      const { status, body } = await sendRefresh(world, index, other, node);
      assert.equal(status, isClientGood(model, other) ? 400 : 401);
      assert.equal(body.error, isClientGood(model, other) ? "invalid_grant" : "invalid_client");
    },
  },
  {
    name: "revoke an access token",
    weight: 3,
    pick: (model, choice) => any(model.accessTokens, choice),
    run: async (model, world, index, node) => {
      const client = clientOfFamily(model, model.accessTokens[index]?.family ?? 0);
      if (await revoke(model, world, world.accessTokens[index] ?? "", client, node)) revokeAccessToken(model, index);
    },
  },
  {
    name: "revoke a refresh token, spent or not",
    weight: 2,
    pick: (model, choice) =>
      anyOf(
        indices(model.refreshTokens, ({ expiresAt }) => model.now < expiresAt),
        choice,
      ),
    run: async (model, world, index, node) => {
      const family = model.refreshTokens[index]?.family ?? 0;
      const client = clientOfFamily(model, family);
      if (await revoke(model, world, world.refreshTokens[index] ?? "", client, node)) revokeFamily(model, family);
    },
  },
  {
    name: "revoke the refresh token of another client",
    weight: 1,
    pick: (model, choice) => any(model.refreshTokens, choice),
    run: async (model, world, index, node) => {
      const basic = world.clients[otherClient(model, index)]?.basic;
      const form = { token: world.refreshTokens[index] ?? "" };
      const { status } = await nodeAt(world, node).form("/oauth/v2/revoke", form, basic);
      assert.ok(status === 200 || status === 401, `${status}`);
    },
  },
  {
    name: "log out with an id token",
    weight: 2,
    pick: (model, choice) => any(model.families, choice),
    run: async (model, world, family, node) => {
      const query = new URLSearchParams({ id_token_hint: world.idTokens[family] ?? "" });
      const answer = await fetch(`${nodeAt(world, node).origin}/oidc/v1/end_session?${query}`, { redirect: "manual" });
      assert.equal(answer.status, 303, await answer.text());
      endSession(model, model.families[family]?.session ?? 0);
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
    run: async (model, world, session, node) => {
      await good(
        nodeAt(world, node).rest("DELETE", `/v2/sessions/${world.sessions[session]?.sessionId}`, { body: {} }),
      );
      endSession(model, session);
    },
  },
  {
    name: "start another session",
    weight: 2,
    pick: (model, choice) =>
      anyOf(
        indices(model.users, (life) => life === "active"),
        choice,
      ),
    run: async (model, world, user) => {
      await addSession(world, user);
      model.sessions.push({ user, isLive: true });
    },
  },
  {
    name: "deactivate or reactivate a user",
    weight: 3,
    pick: (model, choice) =>
      anyOf(
        indices(model.users, (life) => life !== "deleted"),
        choice,
      ),
    run: async (model, world, user, node) => {
      const next = model.users[user] === "active" ? "inactive" : "active";
      const verb = next === "active" ? "reactivate" : "deactivate";
      await good(nodeAt(world, node).rest("POST", `/v2/users/${world.users[user]?.userId}/${verb}`, { body: {} }));
      setLife(model.users, user, next);
    },
  },
  {
    name: "delete a user",
    weight: 1,
    pick: (model, choice) =>
      anyOf(
        indices(model.users, (life) => life !== "deleted"),
        choice,
      ),
    run: async (model, world, user, node) => {
      await good(nodeAt(world, node).rest("DELETE", `/v2/users/${world.users[user]?.userId}`, { body: {} }));
      setLife(model.users, user, "deleted");
    },
  },
  {
    name: "deactivate or reactivate an application",
    weight: 2,
    pick: (model, choice) =>
      anyOf(
        indices(model.clients, (life) => life !== "deleted"),
        choice,
      ),
    run: async (model, world, client, node) => {
      const next = model.clients[client] === "active" ? "inactive" : "active";
      const verb = next === "active" ? "ReactivateApplication" : "DeactivateApplication";
      await changeApplication(world, client, verb, node);
      setLife(model.clients, client, next);
      await clientIsKnown(world, client, next === "active");
    },
  },
  {
    name: "delete an application",
    weight: 1,
    // Without any there would be nothing left to test.
    pick: (model, choice) => {
      const left = indices(model.clients, (life) => life !== "deleted");
      return left.length < 2 ? undefined : anyOf(left, choice);
    },
    run: async (model, world, client, node) => {
      await changeApplication(world, client, "DeleteApplication", node);
      setLife(model.clients, client, "deleted");
      await clientIsKnown(world, client, false);
    },
  },
  {
    name: "change the signing key",
    weight: 2,
    pick: () => 0,
    run: async (_model, world, _subject, node) => {
      const at = nodeAt(world, node);
      const curve = { ecdsa: { curve: "ECDSA_CURVE_P256" } };
      const { id } = await good(at.connect("service.webkey.v2.WebKeyService/CreateWebKey", curve));
      await good(at.connect("service.webkey.v2.WebKeyService/ActivateWebKey", { id }));
    },
  },
  {
    name: "let time pass",
    weight: 6,
    pick: (_model, choice) => choice % 12,
    run: async (model, world, choice) => {
      const spans = [
        second,
        second,
        30 * second,
        30 * second,
        minute,
        minute,
        hour,
        hour,
        11 * hour,
        13 * hour,
        20 * day,
        31 * day,
      ];
      model.now += spans[choice] ?? 0;
      for (const { clock } of world.cluster.nodes) clock.now = model.now;
    },
  },
  {
    name: "ask after every access token",
    weight: 4,
    pick: () => 0,
    run: (model, world, _subject, node) => askAfterAll(model, world, node),
  },
];

/** Demands of every access token what the model says of it, on one node. */
export async function askAfterAll(model: FamilyModel, world: FamilyWorld, node: number): Promise<void> {
  const real = await Promise.all(world.accessTokens.map((_, index) => introspect(world, nodeAt(world, node), index)));
  const wished = world.accessTokens.map((_, index) => isActive(model, index));
  assert.deepEqual(real, wished, "active access tokens");
}

async function useRefreshToken(model: FamilyModel, world: FamilyWorld, index: number, node: number): Promise<void> {
  const client = clientOfFamily(model, model.refreshTokens[index]?.family ?? 0);
  const answer = await sendRefresh(world, index, client, node);
  compareUse(model, world, answer, { isGood: refresh(model, index), client });
}

function sendRefresh(world: FamilyWorld, index: number, client: number, node: number) {
  const form = { grant_type: "refresh_token", refresh_token: world.refreshTokens[index] ?? "" };
  return nodeAt(world, node).form(token, form, world.clients[client]?.basic);
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
type Answer = { readonly status: number; readonly body: any };

function compareUse(
  model: FamilyModel,
  world: FamilyWorld,
  { status, body }: Answer,
  { isGood, client }: { readonly isGood: boolean; readonly client: number },
): void {
  if (isGood) {
    assert.equal(status, 200, JSON.stringify(body));
    world.accessTokens.push(body.access_token);
    world.refreshTokens.push(body.refresh_token);
  } else {
    assert.equal(body.error, isClientGood(model, client) ? "invalid_grant" : "invalid_client", JSON.stringify(body));
  }
}

/** Whether the client was let in to say so. */
async function revoke(
  model: FamilyModel,
  world: FamilyWorld,
  text: string,
  client: number,
  node: number,
): Promise<boolean> {
  const { status, body } = await nodeAt(world, node).form(
    "/oauth/v2/revoke",
    { token: text },
    world.clients[client]?.basic,
  );
  assert.equal(status, isClientGood(model, client) ? 200 : 401, JSON.stringify(body));
  return status === 200;
}

const clientOfFamily = (model: FamilyModel, family: number): number => model.families[family]?.client ?? 0;

const otherClient = (model: FamilyModel, refreshToken: number): number =>
  1 - clientOfFamily(model, model.refreshTokens[refreshToken]?.family ?? 0);

async function changeApplication(world: FamilyWorld, client: number, verb: string, node: number): Promise<void> {
  const { projectId, clients } = world;
  const body = { projectId, applicationId: clients[client]?.applicationId };
  await good(nodeAt(world, node).connect(`service.application.v2.ApplicationService/${verb}`, body));
}

/** Sequences of steps, each on one of the nodes. */
export function familyCommands(length: number): fc.Arbitrary<Iterable<Command>> {
  const arbitraries = steps.flatMap((step) =>
    Array.from({ length: step.weight }, () =>
      fc.tuple(fc.nat(1000), fc.nat(1)).map(([choice, node]) => toCommand(step, choice, node)),
    ),
  );
  return fc.commands(arbitraries, { maxCommands: length, size: "max" });
}

function toCommand(step: Step<number>, choice: number, node: number): Command {
  let did = "";
  return {
    check: (model) => step.pick(model, choice) !== undefined,
    run: async (model, world) => {
      const subject = step.pick(model, choice);
      if (subject === undefined) return;
      did = ` ${subject}`;
      await step.run(model, world, subject, node);
    },
    toString: () => `${step.name}${did} (node ${node + 1})`,
  };
}
