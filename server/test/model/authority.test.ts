import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Chance, chanceOf, isLong, testSeed } from "../support/data/random.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { exchange } from "./support/authority-exchange-model.ts";
import {
  type AuthorityFixtures,
  begin,
  type Channel,
  introspect,
  isTakenByApis,
  makeAuthorityFixtures,
  replaceMoney,
  sendExchange,
  sendRefresh,
  type Tokens,
  takeAwayFrom,
  toReal,
  turn,
} from "./support/authority-fixtures.ts";
import {
  type Asked,
  type AuthorityModel,
  answer,
  checkRequest,
  contentOf,
  current,
  grantedScope,
  isRefreshable,
  isStillGood,
  type ModelToken,
  modelClients,
  type Person,
  type ResourceName,
  type Switches,
  scopes,
  takeAway,
} from "./support/authority-model.ts";

// `npm run test:model` is the long version: 100,000 steps on each engine.
const runs = isLong() ? 2500 : 8;
const length = 40;
const seed = testSeed();
/** Lifetime of access tokens of the instance. */
const instance = 3_600;

const name =
  "what is issued is never more than client, organizations, consent and resources allow, then and later (A1, A7)";
describe("sqlite", () => {
  test(name, async (t) => run(await startOidcServer(t, { engine: "sqlite" })));
});
onPostgres(() => {
  test(name, async (t) => run(await startOidcServer(t, { engine: "postgres" })));
});

const switches: readonly (keyof Switches)[] = [
  "isTrusted",
  "isLent",
  "isRecognized",
  "isAsking",
  "isBankActive",
  "isMoneyActive",
  "hasMoneyScope",
];

/** A walk: the model, the real things, and what was given to whom. */
interface Walk {
  readonly model: AuthorityModel;
  readonly fixtures: AuthorityFixtures;
  readonly chance: Chance;
  readonly texts: Map<ModelToken, string>;
  readonly refreshTokens: RefreshToken[];
}

interface RefreshToken {
  text: string;
  /** The token that came with it first: client, user, and what was granted. */
  readonly first: ModelToken;
}

async function run(server: OidcServer): Promise<void> {
  await changeSettings(server, "oidc", { accessTokenLifetimeSeconds: instance });
  const fixtures = await makeAuthorityFixtures(server);
  await changeSettings(server, "security", { skipConsentAcrossOrganizations: false });
  const model: AuthorityModel = {
    now: 0,
    moneyVersion: 0,
    consents: new Map(),
    tokens: [],
    isTrusted: false,
    isLent: true,
    isRecognized: true,
    isAsking: true,
    isBankActive: true,
    isMoneyActive: true,
    hasMoneyScope: true,
  };
  const counts = new Map<string, number>();
  for (let number = 0; number < runs; number++) {
    const log: string[] = [];
    const walk = { model, fixtures, chance: chanceOf(seed + number), texts: new Map(), refreshTokens: [] };
    try {
      await reset(walk);
      for (let step = 0; step < length; step++) {
        const { name: what, run: act } = pick(walk.chance);
        passTime(walk, walk.chance.below(5));
        const issued = model.tokens.length;
        log.push(`${what}${await act(walk)}`);
        // What changes nothing else is compared with what it gave.
        await compare(walk, isChange(log.at(-1)) ? newest(model) : model.tokens.slice(issued));
      }
    } catch (error) {
      console.log(`DOORWARD_TEST_SEED=${seed + number}\n${log.join("\n")}`);
      throw error;
    }
    for (const what of log.map((line) => line.replace(/ \{.*/, ""))) counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  // A walk that never gets what it asks for would prove nothing.
  for (const channel of channels) assert.ok(counts.has(`${channel} granted`), JSON.stringify([...counts]));
  for (const what of ["refresh", "exchange"]) assert.ok(counts.has(`${what} granted`), JSON.stringify([...counts]));
  console.log(`${runs * length} steps, DOORWARD_TEST_SEED=${seed}`, Object.fromEntries(counts));
}

/** Everything as in the first run: all is on but the trust. */
async function reset({ model, fixtures }: Walk): Promise<void> {
  for (const what of switches) {
    if (model[what] !== (what !== "isTrusted")) await turn(fixtures, model, what, what !== "isTrusted");
  }
  for (const key of model.consents.keys()) {
    const [user = 0, client = 0] = key.split(" ").map(Number);
    await takeAwayFrom(fixtures, { user, client });
  }
  model.consents.clear();
  model.tokens.length = 0;
  passTime({ model, fixtures }, 60);
}

function passTime({ model, fixtures }: Pick<Walk, "model" | "fixtures">, seconds: number): void {
  fixtures.server.clock.now += seconds * 1_000;
  model.now = fixtures.server.clock.now;
}

type Run = (walk: Walk) => Promise<string>;

const channels: readonly Channel[] = ["code", "pushed", "front", "device"];
const steps: readonly { readonly name: string; readonly weight: number; readonly run: Run }[] = [
  ...channels.map((channel) => ({
    name: channel,
    weight: channel === "code" ? 8 : 3,
    run: (walk: Walk) => signIn(walk, channel),
  })),
  { name: "refresh", weight: 6, run: refreshSome },
  { name: "exchange", weight: 9, run: exchangeSome },
  { name: "turn", weight: 12, run: turnSome },
  { name: "replace", weight: 1, run: replaceSome },
  { name: "take away", weight: 1, run: takeSome },
  { name: "time", weight: 1, run: letTimePass },
];

const pick = (chance: Chance): (typeof steps)[number] =>
  chance.one(steps.flatMap((step) => Array.from({ length: step.weight }, () => step)));

const some = <Item>(chance: Chance, list: readonly Item[], share: number): Item[] =>
  list.filter(() => chance.percent(share));

const someone = (chance: Chance): Person => ({
  client: chance.below(modelClients.length),
  user: chance.percent(75) ? 0 : 1,
});

function somethingAsked(chance: Chance): Asked {
  const resources = chance.percent(40) ? some<ResourceName>(chance, ["files", "money", "ours"], 45) : [];
  return {
    scope: [
      "openid",
      ...some(chance, ["email", "offline_access"], 60),
      ...some(chance, scopes.rights, 15),
      ...some(chance, scopes.projects, 20),
      ...(resources.length > 0 ? some(chance, scopes.ofResources, 70) : []),
    ],
    resources,
  };
}

async function signIn(walk: Walk, channel: Channel): Promise<string> {
  const { model, fixtures, chance } = walk;
  const who = someone(chance);
  const wish = somethingAsked(chance);
  const told = ` ${JSON.stringify({ ...who, ...wish })}`;
  const request = channel === "front" ? { ...wish, scope: wish.scope.filter((one) => one !== "offline_access") } : wish;
  const asked = checkRequest(model, who.client, request);
  const flow = await begin(fixtures, channel, who, wish);
  assert.equal(flow !== undefined, asked !== undefined, `begin${told}`);
  if (flow === undefined || asked === undefined) return ` refused${told}`;
  const between = chance.percent(15) ? await turnSome(walk) : "";
  const isGiven = channel === "device" || chance.percent(65);
  const content = channel === "front" ? () => newContent(model, who, asked, []) : () => undefined;
  const isAnswered = answer(model, who, asked, isGiven) && (channel !== "front" || content() !== undefined);
  assert.equal(await flow.answer(isGiven), isAnswered, `answer${told}${between}`);
  if (!isAnswered) return ` refused${told}${between}`;
  const later = channel !== "front" && chance.percent(30) ? await turnSome(walk) : "";
  const named = channel !== "front" && chance.percent(25) ? some(chance, asked.resources, 60) : [];
  const isGood = channel === "front" || isStillGood(model, who, asked);
  const wished = isGood ? newContent(model, who, asked, named) : undefined;
  const given = await flow.redeem(named);
  assert.equal(given !== undefined, wished !== undefined, `redeem${told}${between}${later}`);
  if (given === undefined || wished === undefined) return ` refused${told}${between}${later}`;
  const token = keep(walk, who, wished, given);
  const { refresh_token: text } = given;
  assert.equal(text !== undefined, channel !== "front" && wished.granted.scope.includes("offline_access"));
  if (text !== undefined) walk.refreshTokens.push({ text, first: token });
  return ` granted${told}${between}${later}`;
}

type New = Omit<ModelToken, "client" | "user" | "issuedAt" | "family" | "origin">;

function newContent(model: AuthorityModel, who: Person, asked: Asked, named: readonly ResourceName[]): New | undefined {
  const version = model.moneyVersion;
  const content = contentOf(model, who, asked, { named, version, instance });
  const scope = grantedScope(model, who, asked, version);
  const left = asked.resources.filter((one) =>
    contentOf(model, who, asked, { named: [one], version, instance })?.audience.has(one),
  );
  return content && { ...content, moneyVersion: version, granted: { scope, resources: left } };
}

async function letTimePass(walk: Walk): Promise<string> {
  passTime(walk, walk.chance.below(700));
  return "";
}

/** Compares what was issued with the model, and keeps it. */
function keep(
  { model, texts }: Walk,
  who: Person,
  content: New,
  given: NonNullable<Tokens>,
  of: Partial<Pick<ModelToken, "family" | "origin">> = {},
): ModelToken {
  const text = given["access_token"] ?? assert.fail();
  assert.equal(text.includes(".") ? "jwt" : "opaque", content.format, "format");
  assert.equal(Number(given["expires_in"]), Math.floor(content.lifetime), "lifetime");
  const token: ModelToken = {
    client: who.client,
    user: who.user,
    family: { isRevoked: false },
    origin: undefined,
    ...content,
    ...of,
    issuedAt: model.now,
  };
  model.tokens.push(token);
  texts.set(token, text);
  return token;
}

async function refreshSome({ chance, ...walk }: Walk): Promise<string> {
  const { model, fixtures, refreshTokens } = walk;
  if (refreshTokens.length === 0) return " {nothing}";
  const refreshed = chance.one(refreshTokens);
  const { first } = refreshed;
  const { client, granted, moneyVersion: version } = first;
  const scope = chance.percent(50)
    ? undefined
    : some(chance, [...granted.scope, ...some(chance, scopes.rights, 10)], 70);
  const named = chance.percent(40)
    ? some<ResourceName>(chance, [...granted.resources, ...some(chance, ["money"] as const, 5)], 70)
    : [];
  const told = ` ${JSON.stringify({ client, user: first.user, scope, named })}`;
  const isWithin =
    (scope === undefined || (scope.length > 0 && scope.every((one) => granted.scope.includes(one)))) &&
    named.every((one) => granted.resources.includes(one));
  const asked = { scope: [...new Set(scope ?? granted.scope)], resources: granted.resources };
  const content =
    isWithin && isRefreshable(model, first) ? contentOf(model, first, asked, { named, version, instance }) : undefined;
  const wished = content !== undefined && content.scope.size > 0 ? content : undefined;
  const given = await sendRefresh(fixtures, client, { token: refreshed.text, scope, named });
  assert.equal(given !== undefined, wished !== undefined, `refresh${told}`);
  if (given === undefined || wished === undefined) return ` refused${told}`;
  refreshed.text = given["refresh_token"] ?? assert.fail();
  keep({ ...walk, chance }, first, { ...wished, moneyVersion: version, granted }, given, { family: first.family });
  return ` granted${told}`;
}

async function exchangeSome({ chance, ...walk }: Walk): Promise<string> {
  const { model, fixtures, texts } = walk;
  if (model.tokens.length === 0) return " {nothing}";
  const token = chance.one(newest(model));
  const client = chance.percent(60) ? token.client : chance.below(modelClients.length);
  const audience = chance.percent(70)
    ? []
    : some(chance, [...token.audience, ...some(chance, ["bank", "apis"], 5)], 40);
  const resources = [...token.audience].filter((one): one is ResourceName => ["files", "money", "ours"].includes(one));
  const resource =
    resources.length > 0 && audience.length === 0 && chance.percent(40) ? chance.one(resources) : undefined;
  const scope = chance.percent(60)
    ? [...token.scope]
    : some(chance, [...token.scope, ...some(chance, ["email", "b"], 10)], 70);
  const asked = { client, token, scope: [...new Set(scope)], audience, resource, isJwtAsked: chance.percent(20) };
  const told = ` ${JSON.stringify({ ...asked, token: { ...token, scope: [...token.scope], audience: [...token.audience] } })}`;
  const content = exchange(model, asked, instance);
  const given = await sendExchange(fixtures, client, { ...asked, token: texts.get(token) ?? assert.fail() });
  assert.equal(given !== undefined, content !== undefined, `exchange${told}`);
  if (given === undefined || content === undefined) return ` refused${told}`;
  const granted = { scope: [...content.scope], resources: [] };
  const made = { ...content, moneyVersion: token.moneyVersion, granted };
  keep({ ...walk, chance }, { client, user: token.user }, made, given, { origin: token });
  return ` granted${told}`;
}

async function turnSome({ model, fixtures, chance }: Walk): Promise<string> {
  const off = switches.filter((what) => what !== "isTrusted" && what !== "isAsking" && !model[what]);
  const what = off.length > 0 && chance.percent(60) ? chance.one(off) : chance.one(switches);
  await turn(fixtures, model, what, !model[what]);
  return ` {"${what}":${model[what]}}`;
}

async function replaceSome({ model, fixtures }: Walk): Promise<string> {
  if (!model.isBankActive) return " {nothing}";
  await replaceMoney(fixtures, model);
  return "";
}

async function takeSome({ model, fixtures, chance }: Walk): Promise<string> {
  const who = model.tokens.length > 0 && chance.percent(70) ? chance.one(newest(model)) : someone(chance);
  await takeAwayFrom(fixtures, who);
  takeAway(model, who);
  return ` ${JSON.stringify({ client: who.client, user: who.user })}`;
}

/** The tokens that are looked at. */
const newest = ({ tokens }: AuthorityModel): ModelToken[] => tokens.slice(-6);

/** Whether something moved that tokens depend on. */
const isChange = (what = ""): boolean => /^(turn|replace|take away|time)|\} \{"/.test(what);

/** Asks everyone who may ask what is left of tokens. */
async function compare({ model, fixtures, texts }: Walk, tokens: readonly ModelToken[]): Promise<void> {
  for (const token of tokens) {
    const text = texts.get(token) ?? assert.fail();
    const left = current(model, token);
    const wished = left && toReal(fixtures, left);
    const { project } = modelClients[token.client] ?? assert.fail();
    const told = JSON.stringify({
      ...token,
      scope: [...token.scope],
      audience: [...token.audience],
      origin: token.origin?.client,
    });
    const observers = [
      { by: fixtures.clients[token.client] ?? assert.fail(), names: [`client:${token.client}`, project] },
      { by: fixtures.apis.sibling, names: ["sibling", "files"] },
      ...(model.isBankActive ? [{ by: fixtures.apis.bank, names: ["bank", "money"] }] : []),
    ];
    for (const { by, names } of observers) {
      const isMeant = names.some((one) => left?.audience.has(one));
      assert.deepEqual(
        await introspect(fixtures, by, text),
        isMeant ? wished : undefined,
        `${names[0]} asks about ${told}`,
      );
    }
    const isTaken = await isTakenByApis(fixtures, token.user, text);
    assert.equal(isTaken, left?.audience.has("apis") === true, `our own APIs take ${told}`);
  }
}
