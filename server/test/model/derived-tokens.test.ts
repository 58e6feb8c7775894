import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Chance, chanceOf, isLong, testSeed } from "../support/data/random.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { type Cluster, startCluster } from "../support/servers/nodes.ts";
import { choose, someKey, someOf } from "./support/choices.ts";
import {
  addSession,
  changingTrust,
  type DerivedFixtures,
  isTaken,
  makeDerivedFixtures,
  modelClients,
  readToken,
  sendExchange,
  sendRefresh,
  sendRevocation,
  setGranted,
  setImpersonation,
  setRole,
  setTrust,
  setUserActive,
  signInTo,
  takeAway,
  wishedToken,
} from "./support/derived-fixtures.ts";
import {
  allScopes,
  type DerivedModel,
  type Exchange,
  exchange,
  type Given,
  hour,
  isAlive,
  isGivenAlive,
  isSessionGood,
  mayUsePermissions,
  nameOfClient,
  nameOfProject,
  refresh,
  revokeAccessToken,
  revokeFamily,
  setActive,
  signIn,
  takeAccessAway,
} from "./support/derived-model.ts";
import { good } from "./support/family-fixtures.ts";

// `npm run test:model` is the long version: 100,000 steps on each engine.
const runs = isLong() ? 2500 : 8;
const length = 40;
const seed = testSeed();

describe("sqlite", () => {
  test("what is made of tokens is never more than they allow, and dead with any of them (A4-A6, A8, A19)", (t) =>
    run(() => startCluster(t, "sqlite", 1)));
});
onPostgres(() => {
  test("nor is it on two nodes (A4-A6, A8, A19)", (t) => run(() => startCluster(t, "postgres", 2)));
});

async function run(start: () => Promise<Cluster>): Promise<void> {
  const fixtures = await makeDerivedFixtures(await start());
  const counts = new Map<string, number>();
  // A refresh without consent needs a grant that was withdrawn at the right moment: where the usual number of runs
  // has not had one, more follow.
  const rare = "refresh without consent refused";
  let number = 0;
  for (; number < runs || (!counts.has(rare) && number < 10 * runs); number++) {
    const log: string[] = [];
    try {
      await walk(fixtures, chanceOf(seed + number), log);
    } catch (error) {
      console.log(`DOORWARD_TEST_SEED=${seed + number}\n${log.join("\n")}`);
      throw error;
    }
    for (const line of log) {
      const what = line.replace(/ \{.*/, "");
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  }
  const walked = `DOORWARD_TEST_SEED=${seed} ${JSON.stringify([...counts])}`;
  // A walk that never gets what it asks for would prove nothing.
  for (const what of ["exchange granted", "exchange refused", "refresh granted"]) {
    assert.ok((counts.get(what) ?? 0) >= number, `${what}: ${walked}`);
  }
  assert.ok(counts.has(rare), walked);
  console.log(`${number * length} steps, DOORWARD_TEST_SEED=${seed}`, Object.fromEntries(counts));
}

/** Everything as it was: all are active, the last two users may act for the others. */
async function begin(fixtures: DerivedFixtures): Promise<DerivedModel> {
  fixtures.sessions = [];
  fixtures.accessTokens = [];
  fixtures.idTokens = [];
  fixtures.refreshTokens = [];
  return {
    now: fixtures.cluster.first.clock.now,
    trust: modelClients.map(() => true),
    isImpersonationOn: true,
    isGranted: true,
    consents: new Map(),
    clients: modelClients,
    users: fixtures.users.map((_, index) => ({ isActive: true, mayImpersonate: index >= 2 })),
    sessions: [],
    families: [],
    accessTokens: [],
    idTokens: [],
    refreshTokens: [],
  };
}

async function walk(fixtures: DerivedFixtures, chance: Chance, log: string[]): Promise<void> {
  const model = await begin(fixtures);
  await setImpersonation(fixtures, true);
  await setGranted(fixtures, true);
  await setTrust(fixtures, true);
  // What users agreed to in an earlier run.
  for (const user of model.users.keys()) {
    for (const [client, { needsConsent, isForeign }] of model.clients.entries()) {
      if (needsConsent || isForeign) await takeAway(fixtures, user, client);
    }
  }
  for (const user of [2, 3]) await setRole(fixtures, user, true);
  try {
    for (const user of model.users.keys()) await signInSomebody(model, fixtures, chance, user);
    for (let step = 0; step < length; step++) {
      const before = model.accessTokens.map((_, index) => isAlive(model, index));
      const { name, run: act } = pick(model, chance);
      log.push(`${name}${await act(model, fixtures, chance)}`);
      const changed = before.some((wasAlive, index) => wasAlive !== isAlive(model, index));
      if (changed) await compareAll(model, fixtures, step + 1);
    }
    await compareAll(model, fixtures, 1);
  } finally {
    for (const [user, { isActive, mayImpersonate }] of model.users.entries()) {
      if (!isActive) await setUserActive(fixtures, user, true);
      if (mayImpersonate) await setRole(fixtures, user, false);
    }
  }
}

async function compareAll(model: DerivedModel, fixtures: DerivedFixtures, node: number): Promise<void> {
  const real: boolean[] = [];
  for (const index of model.accessTokens.keys()) real.push(await isTaken(fixtures, model, index, node));
  assert.deepEqual(
    real,
    model.accessTokens.map((_, index) => isAlive(model, index)),
    "access tokens that are taken",
  );
}

/** What happens; returns what the log says of it. */
type Run = (model: DerivedModel, fixtures: DerivedFixtures, chance: Chance) => Promise<string>;

const steps: readonly { readonly name: string; readonly weight: number; readonly run: Run }[] = [
  {
    name: "sign in",
    weight: 4,
    run: (model, fixtures, chance) => signInSomebody(model, fixtures, chance, chance.below(4)),
  },
  { name: "exchange", weight: 24, run: exchangeSomething },
  { name: "refresh", weight: 7, run: refreshSomething },
  { name: "revoke an access token", weight: 2, run: revokeSomeToken },
  { name: "revoke a refresh token", weight: 1, run: revokeSomeFamily },
  { name: "end a session", weight: 1, run: endSomeSession },
  { name: "take access away", weight: 1, run: takeSomeAccess },
  { name: "activate or deactivate", weight: 1, run: turnSomebody },
  { name: "give or take a role", weight: 1, run: turnSomeRole },
  { name: "allow or forbid impersonation", weight: 1, run: turnImpersonation },
  { name: "grant or withdraw a project", weight: 3, run: turnGrant },
  { name: "trust or distrust a client", weight: 1, run: turnTrust },
  { name: "time", weight: 3, run: passTime },
];

function pick(model: DerivedModel, chance: Chance): (typeof steps)[number] {
  // What was turned off is turned on again soon, or hardly anything would be granted.
  const isOff = {
    "allow or forbid impersonation": !model.isImpersonationOn,
    "trust or distrust a client": model.trust.includes(false),
    "activate or deactivate": model.users.some(({ isActive }) => !isActive),
    "give or take a role": model.users.slice(2).some(({ mayImpersonate }) => !mayImpersonate),
  };
  for (const step of steps) if (isOff[step.name as keyof typeof isOff] && chance.percent(25)) return step;
  const all = steps.flatMap((step) => Array.from({ length: step.weight }, () => step));
  return chance.one(all);
}

async function signInSomebody(
  model: DerivedModel,
  fixtures: DerivedFixtures,
  chance: Chance,
  user: number,
): Promise<string> {
  if (model.users[user]?.isActive !== true) return " {nobody}";
  let session = model.sessions.findIndex((one, index) => one.user === user && isSessionGood(model, index));
  if (session < 0) {
    await addSession(fixtures, user);
    model.sessions.push({ user, isLive: true });
    session = model.sessions.length - 1;
  }
  const own = chance.percent(50) ? 0 : chance.below(modelClients.length);
  // What is given without consent, while a grant lasts, is what later has none.
  const client = model.isGranted && chance.percent(40) ? modelClients.findIndex(({ isForeign }) => isForeign) : own;
  const key = modelClients[client]?.needsProof === true ? chance.below(2) : someKey(chance);
  const scope = ["openid", ...someOf(chance, allScopes.slice(1), 75)];
  await signInTo(fixtures, { client, session, scope, key });
  signIn(model, client, session, scope, key);
  await compareIssued(model, fixtures, model.accessTokens.length - 1);
  return ` ${JSON.stringify({ user, client, scope, key })}`;
}

async function compareIssued(model: DerivedModel, fixtures: DerivedFixtures, from: number): Promise<void> {
  assert.equal(fixtures.accessTokens.length, model.accessTokens.length);
  assert.equal(fixtures.idTokens.length, model.idTokens.length);
  assert.equal(fixtures.refreshTokens.length, model.refreshTokens.length);
  for (let index = from; index < model.accessTokens.length; index++) {
    assert.deepEqual(await readToken(fixtures, index), wishedToken(fixtures, model, index));
  }
}

function someSubject(model: DerivedModel, chance: Chance): Given {
  const kind = chance.below(10);
  const idToken = choose(chance, model.idTokens.length, (index) => isGivenAlive(model, { kind: "id", idToken: index }));
  if (kind < 3 && idToken !== undefined) return { kind: "id", idToken };
  const token = choose(chance, model.accessTokens.length, (index) => isAlive(model, index));
  if (kind < 8 && token !== undefined) return { kind: "access", token };
  return { kind: "user", user: chance.below(4) };
}

/** A token of a user who may act, at a client that may use that, as a rule. */
function someActor(model: DerivedModel, chance: Chance): number | undefined {
  if (chance.percent(60)) return undefined;
  return choose(chance, model.accessTokens.length, (index) => {
    const family = model.accessTokens[index]?.family ?? 0;
    return (model.families[family]?.user ?? 0) >= 2 && isAlive(model, index) && mayUsePermissions(model, family);
  });
}

/** What a request should prove, most of the time: the keys of the tokens in it. */
function fittingKey(
  model: DerivedModel,
  chance: Chance,
  subject: Given,
  actor: number | undefined,
): number | undefined {
  if (chance.percent(15)) return someKey(chance);
  const own = subject.kind === "id" ? model.idTokens[subject.idToken] : undefined;
  const tokens = [subject.kind === "access" ? subject.token : own?.token, actor];
  const keys = tokens.flatMap((index) => {
    const token = index === undefined ? undefined : model.accessTokens[index];
    return [token?.key, token && model.families[token.family]?.key, own && model.families[own.family]?.key];
  });
  return keys.find((key) => key !== undefined) ?? someKey(chance);
}

async function exchangeSomething(model: DerivedModel, fixtures: DerivedFixtures, chance: Chance): Promise<string> {
  const subject = someSubject(model, chance);
  const actor =
    subject.kind === "user" && chance.percent(90) ? someActorAlways(model, chance) : someActor(model, chance);
  const names = [...modelClients.map((_, index) => nameOfClient(index)), nameOfProject(0), nameOfProject(1)];
  const asked: Exchange = {
    client: chance.percent(70) ? 0 : chance.below(modelClients.length),
    subject,
    actor,
    scope: chance.percent(80) ? someOf(chance, scopeOf(model, subject), 80) : someOf(chance, allScopes, 60),
    audience: chance.percent(70) ? [] : someOf(chance, names, 20),
    key: fittingKey(model, chance, subject, actor),
    requested: chance.one(["access_token", "access_token", "jwt", "id_token"]),
  };
  const from = model.accessTokens.length;
  const isAllowed = exchange(model, asked);
  const { status, body } = await sendExchange(fixtures, asked, chance.below(2));
  assert.equal(status, isAllowed ? 200 : 400, `${JSON.stringify(asked)}: ${JSON.stringify(body)}`);
  await compareIssued(model, fixtures, from);
  return `${isAllowed ? " granted" : " refused"} ${JSON.stringify(asked)} ${body.error_description ?? ""}`;
}

/** What may be asked for. */
function scopeOf(model: DerivedModel, subject: Given): readonly string[] {
  if (subject.kind === "user") return ["openid", "profile"];
  const index = subject.kind === "access" ? subject.token : model.idTokens[subject.idToken]?.token;
  const family = subject.kind === "id" ? model.families[model.idTokens[subject.idToken]?.family ?? 0] : undefined;
  return [...((index === undefined ? family?.scope : model.accessTokens[index]?.scope) ?? [])];
}

const someActorAlways = (model: DerivedModel, chance: Chance): number | undefined =>
  someActor(model, { ...chance, percent: () => false });

async function refreshSomething(model: DerivedModel, fixtures: DerivedFixtures, chance: Chance): Promise<string> {
  const unasked = [...model.refreshTokens.keys()].filter((one) => isUnasked(model, one));
  const index =
    unasked.length > 0 && chance.percent(50)
      ? chance.one(unasked)
      : choose(chance, model.refreshTokens.length, (one) => model.refreshTokens[one]?.isSpent === false);
  const token = index === undefined ? undefined : model.refreshTokens[index];
  // Reuse, which ends the family, is what the model of families is about.
  if (index === undefined || token === undefined || token.isSpent) return " {nothing}";
  const family = model.families[token.family];
  const client = family?.client ?? 0;
  const key = chance.percent(75) ? (family?.key ?? someKey(chance)) : someKey(chance);
  const from = model.accessTokens.length;
  const isAllowed = refresh(model, index, key);
  const { status, body } = await sendRefresh(fixtures, index, { client, key, node: chance.below(2) });
  assert.equal(status, isAllowed ? 200 : 400, `refresh ${index} with ${key}: ${JSON.stringify(body)}`);
  await compareIssued(model, fixtures, from);
  const without = unasked.includes(index) ? " without consent" : "";
  return `${without}${isAllowed ? " granted" : " refused"} ${JSON.stringify({ index, key })}`;
}

/** Whether a refresh token is good but for the consent, for which its user was never asked. */
function isUnasked(model: DerivedModel, index: number): boolean {
  const { family: familyIndex, isSpent } = model.refreshTokens[index] ?? assert.fail();
  const { client, user, session, origin, isRevoked } = model.families[familyIndex] ?? assert.fail();
  const isForeign = modelClients[client]?.isForeign === true && !model.isGranted;
  if (!isForeign || isSpent || isRevoked || origin !== undefined || !isSessionGood(model, session)) return false;
  return !model.consents.has(`${user} ${client}`);
}

const clientOf = (model: DerivedModel, family: number): number => model.families[family]?.client ?? 0;

async function revokeSomeToken(model: DerivedModel, fixtures: DerivedFixtures, chance: Chance): Promise<string> {
  const index = choose(chance, model.accessTokens.length, (one) => isAlive(model, one));
  const token = index === undefined ? undefined : model.accessTokens[index];
  // A token that has expired counts as absent for revocation.
  if (index === undefined || token === undefined || token.expiresAt <= model.now) return " {nothing}";
  await sendRevocation(fixtures, fixtures.accessTokens[index] ?? "", clientOf(model, token.family), chance.below(2));
  revokeAccessToken(model, index);
  return ` ${JSON.stringify({ index })}`;
}

async function revokeSomeFamily(model: DerivedModel, fixtures: DerivedFixtures, chance: Chance): Promise<string> {
  const index = choose(chance, model.refreshTokens.length);
  const token = index === undefined ? undefined : model.refreshTokens[index];
  if (index === undefined || token === undefined) return " {nothing}";
  await sendRevocation(fixtures, fixtures.refreshTokens[index] ?? "", clientOf(model, token.family), chance.below(2));
  revokeFamily(model, token.family);
  return ` ${JSON.stringify({ family: token.family })}`;
}

async function endSomeSession(model: DerivedModel, fixtures: DerivedFixtures, chance: Chance): Promise<string> {
  const index = choose(chance, model.sessions.length);
  const session = index === undefined ? undefined : model.sessions[index];
  if (index === undefined || session?.isLive !== true) return " {nothing}";
  await good(
    fixtures.cluster.first.rest("DELETE", `/v2/sessions/${fixtures.sessions[index]?.sessionId}`, { body: {} }),
  );
  session.isLive = false;
  return ` ${JSON.stringify({ index })}`;
}

async function takeSomeAccess(model: DerivedModel, fixtures: DerivedFixtures, chance: Chance): Promise<string> {
  const [user, client] = [chance.below(4), chance.below(modelClients.length)];
  await takeAway(fixtures, user, client);
  takeAccessAway(model, user, client);
  return ` ${JSON.stringify({ user, client })}`;
}

async function turnSomebody(model: DerivedModel, fixtures: DerivedFixtures, chance: Chance): Promise<string> {
  const off = model.users.findIndex(({ isActive }) => !isActive);
  const user = off >= 0 ? off : chance.below(4);
  await setUserActive(fixtures, user, off >= 0);
  setActive(model, user, off >= 0);
  return ` ${JSON.stringify({ user, isActive: off >= 0 })}`;
}

async function turnSomeRole(model: DerivedModel, fixtures: DerivedFixtures, chance: Chance): Promise<string> {
  const user = 2 + chance.below(2);
  const actor = model.users[user] ?? assert.fail();
  await setRole(fixtures, user, !actor.mayImpersonate);
  actor.mayImpersonate = !actor.mayImpersonate;
  return ` ${JSON.stringify({ user, mayImpersonate: actor.mayImpersonate })}`;
}

async function turnImpersonation(model: DerivedModel, fixtures: DerivedFixtures): Promise<string> {
  await setImpersonation(fixtures, !model.isImpersonationOn);
  model.isImpersonationOn = !model.isImpersonationOn;
  return ` ${JSON.stringify({ isOn: model.isImpersonationOn })}`;
}

async function turnGrant(model: DerivedModel, fixtures: DerivedFixtures): Promise<string> {
  await setGranted(fixtures, !model.isGranted);
  model.isGranted = !model.isGranted;
  return ` ${JSON.stringify({ isGranted: model.isGranted })}`;
}

async function turnTrust(model: DerivedModel, fixtures: DerivedFixtures): Promise<string> {
  const isTrusted = model.trust[changingTrust] === false;
  await setTrust(fixtures, isTrusted);
  model.trust[changingTrust] = isTrusted;
  return ` ${JSON.stringify({ client: changingTrust, isTrusted })}`;
}

async function passTime(model: DerivedModel, fixtures: DerivedFixtures, chance: Chance): Promise<string> {
  const span = chance.one([0.1, 0.5, 1, 2, 9]) * hour + chance.below(50) * 1000;
  model.now += span;
  for (const { clock } of fixtures.cluster.nodes) clock.now = model.now;
  return ` ${JSON.stringify({ span })}`;
}
