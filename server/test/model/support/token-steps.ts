import assert from "node:assert/strict";
import { type FamilyFixtures, nodeAt } from "./family-fixtures.ts";
import {
  authorize,
  day,
  type FamilyModel,
  isActive,
  isClientGood,
  isFamilyGood,
  isSessionGood,
  redeem,
  refresh,
  revokeAccessToken,
  revokeFamily,
} from "./family-model.ts";
import { anyOf, indices, mostlyLive, type Step } from "./step.ts";

const token = "/oauth/v2/token";

/** What clients do with codes and tokens. */
export const tokenSteps: readonly Step[] = [
  {
    name: "sign in",
    weight: 8,
    pick: (model, choice) => {
      const sessions = indices(model.sessions, (_, index) => isSessionGood(model, index));
      const clients = indices(model.clients, (life) => life === "active");
      if (sessions.length === 0 || clients.length === 0) return undefined;
      return (sessions[choice % sessions.length] as number) * 2 + (clients[choice % clients.length] as number);
    },
    run: async (model, fixtures, subject) => {
      const { first } = fixtures.cluster;
      const [session, client] = [Math.floor(subject / 2), subject % 2];
      const scope = "openid offline_access urn:service:iam:org:project:id:service:aud";
      const known = { client: fixtures.clients[client], session: fixtures.sessions[session], scope } as const;
      fixtures.codes.push(await first.signIn(known as Parameters<typeof first.signIn>[0]));
      authorize(model, client, session);
    },
  },
  {
    name: "redeem",
    weight: 10,
    // The newest first, because a minute is short; what a used code gave is remembered for a day.
    pick: (model, choice) => {
      const recent = indices(model.codes, ({ expiresAt }) => model.now < expiresAt + day / 2);
      return choice % 3 === 0
        ? anyOf(recent, choice)
        : recent.findLast((index) => model.codes[index]?.family === undefined);
    },
    run: async (model, fixtures, index, node) => {
      const client = fixtures.clients[model.codes[index]?.client ?? 0];
      const { code = "", codeVerifier = "" } = fixtures.codes[index] ?? {};
      const form = { grant_type: "authorization_code", code, code_verifier: codeVerifier };
      const answer = await nodeAt(fixtures, node).form(
        token,
        { ...form, redirect_uri: client?.redirectUri ?? "" },
        client?.basic,
      );
      compareUse(model, fixtures, answer, { isGood: redeem(model, index), client: model.codes[index]?.client ?? 0 });
      if (answer.status === 200) fixtures.idTokens.push(answer.body.id_token);
    },
  },
  {
    name: "refresh",
    weight: 12,
    pick: (model, choice) => pickRefreshToken(model, choice, ({ isSpent }) => !isSpent),
    run: useRefreshToken,
  },
  {
    name: "use a spent refresh token",
    weight: 4,
    // A spent token is remembered for as long as it would have lived.
    pick: (model, choice) =>
      pickRefreshToken(model, choice, ({ isSpent, expiresAt }) => isSpent && model.now < expiresAt),
    run: useRefreshToken,
  },
  {
    name: "use the refresh token of another client",
    weight: 2,
    pick: (model, choice) => pickRefreshToken(model, choice, () => true),
    run: async (model, fixtures, index, node) => {
      const other = otherClient(model, index);
      const { status, body } = await sendRefresh(fixtures, index, other, node);
      assert.equal(status, isClientGood(model, other) ? 400 : 401);
      assert.equal(body.error, isClientGood(model, other) ? "invalid_grant" : "invalid_client");
    },
  },
  {
    name: "revoke an access token",
    weight: 3,
    pick: (model, choice) => mostlyLive([...model.accessTokens.keys()], choice, (index) => isActive(model, index)),
    run: async (model, fixtures, index, node) => {
      const client = clientOfFamily(model, model.accessTokens[index]?.family ?? 0);
      if (await revoke(model, fixtures, fixtures.accessTokens[index] ?? "", client, node))
        revokeAccessToken(model, index);
    },
  },
  {
    name: "revoke a refresh token, spent or not",
    weight: 2,
    pick: (model, choice) => pickRefreshToken(model, choice, ({ expiresAt }) => model.now < expiresAt),
    run: async (model, fixtures, index, node) => {
      const family = model.refreshTokens[index]?.family ?? 0;
      const client = clientOfFamily(model, family);
      if (await revoke(model, fixtures, fixtures.refreshTokens[index] ?? "", client, node)) revokeFamily(model, family);
    },
  },
  {
    name: "revoke the refresh token of another client",
    weight: 1,
    pick: (model, choice) => pickRefreshToken(model, choice, () => true),
    run: async (model, fixtures, index, node) => {
      const basic = fixtures.clients[otherClient(model, index)]?.basic;
      const form = { token: fixtures.refreshTokens[index] ?? "" };
      const { status } = await nodeAt(fixtures, node).form("/oauth/v2/revoke", form, basic);
      assert.ok(status === 200 || status === 401, `${status}`);
    },
  },
];

/** A refresh token that fits, mostly of a family that is alive. */
function pickRefreshToken(
  model: Readonly<FamilyModel>,
  choice: number,
  fits: (token: FamilyModel["refreshTokens"][number]) => boolean,
): number | undefined {
  const isLive = (index: number): boolean => isFamilyGood(model, model.refreshTokens[index]?.family ?? 0);
  return mostlyLive(indices(model.refreshTokens, fits), choice, isLive);
}

async function useRefreshToken(
  model: FamilyModel,
  fixtures: FamilyFixtures,
  index: number,
  node: number,
): Promise<void> {
  const client = clientOfFamily(model, model.refreshTokens[index]?.family ?? 0);
  const answer = await sendRefresh(fixtures, index, client, node);
  compareUse(model, fixtures, answer, { isGood: refresh(model, index), client });
}

function sendRefresh(fixtures: FamilyFixtures, index: number, client: number, node: number) {
  const form = { grant_type: "refresh_token", refresh_token: fixtures.refreshTokens[index] ?? "" };
  return nodeAt(fixtures, node).form(token, form, fixtures.clients[client]?.basic);
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
type Answer = { readonly status: number; readonly body: any };

function compareUse(
  model: FamilyModel,
  fixtures: FamilyFixtures,
  { status, body }: Answer,
  { isGood, client }: { readonly isGood: boolean; readonly client: number },
): void {
  if (isGood) {
    assert.equal(status, 200, JSON.stringify(body));
    fixtures.accessTokens.push(body.access_token);
    fixtures.refreshTokens.push(body.refresh_token);
  } else {
    assert.equal(body.error, isClientGood(model, client) ? "invalid_grant" : "invalid_client", JSON.stringify(body));
  }
}

/** Whether the client was let in to say so. */
async function revoke(
  model: FamilyModel,
  fixtures: FamilyFixtures,
  text: string,
  client: number,
  node: number,
): Promise<boolean> {
  const { status, body } = await nodeAt(fixtures, node).form(
    "/oauth/v2/revoke",
    { token: text },
    fixtures.clients[client]?.basic,
  );
  assert.equal(status, isClientGood(model, client) ? 200 : 401, JSON.stringify(body));
  return status === 200;
}

const clientOfFamily = (model: FamilyModel, family: number): number => model.families[family]?.client ?? 0;

const otherClient = (model: FamilyModel, refreshToken: number): number =>
  1 - clientOfFamily(model, model.refreshTokens[refreshToken]?.family ?? 0);
