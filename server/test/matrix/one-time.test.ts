import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, type Sql, text } from "../../src/database/index.ts";
import { oneTimeSecretKinds } from "../../src/domain/one-time-secret/index.ts";
import { isLong } from "../support/data/random.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type Estate, makeEstate } from "./support/estate.ts";
import { kindsOfFactors } from "./support/kinds-of-factors.ts";
import { kindsOfOAuth } from "./support/kinds-of-oauth.ts";
import { kindsOfOthers } from "./support/kinds-of-others.ts";
import { kindsOfUsers } from "./support/kinds-of-users.ts";
import { type Kind, lookalikes, type Made } from "./support/one-time.ts";
import { proveApart } from "./support/other-kinds.ts";

/** What is stored as a hash and no secret that works once, and why. */
const notOnce: Readonly<Record<string, string>> = {
  password_reset_entry:
    "lets the code of a message be typed, which is used up itself: login/password/typed-codes.test.ts",
  "users.password_hash": "is presented again and again: guessing.test.ts",
  "users.secret_hash": "is presented again and again: guessing.test.ts",
  "applications.secret_hash": "is presented again and again: guessing.test.ts",
  "personal_access_tokens.token_hash": "a bearer token: lifecycle.test.ts",
  "sessions.token_hash": "a bearer token, another one after each write: lifecycle.test.ts",
  "registrations.token_hash": "good for as long as there is the client: oauth/register",
  "sessions.browser_hash": "the secret of a browser: login/browser-secret.test.ts",
  "auth_requests.browser_hash": "the secret of a browser",
  "auth_requests.former_browser_hash": "the secret of a browser",
  "auth_requests.response_key_hash": "names a kept answer to the same browser: oauth/authorization-answers.test.ts",
  "sign_ins.browser_hash": "the secret of a browser",
  "device_authorizations.browser_hash": "the secret of a browser",
  "identity_intents.browser_hash": "the secret of a browser",
  "provider_logouts.state_hash":
    "says where a browser goes, once, and proves nothing: identity-provider/saml/logout.test.ts",
  sign_up_message: "is no secret: it keeps messages to one address apart (login/register-told.test.ts)",
  "setup_links.code_hash": "opens a link in one browser, which may present it again: setup-link/setup-link.test.ts",
  "setup_links.session_hash": "the secret of a browser: setup-link/setup-link.test.ts",
  "one_time_secrets.secret_hash": "of every kind of the source, each of which has its rows",
};

type Cell = readonly [what: string, prove: (estate: Estate, kind: Kind) => Promise<void>];

const refused = ({ refusals }: Kind, words: string, what: string): void =>
  assert.ok(refusals.includes(words), `${what}: ${words}, and not ${refusals.join(" or ")}`);

/** How many use it at the same time. */
const crowd = isLong() ? 50 : 6;

const good = async (made: Made): Promise<void> => assert.equal(await made.present(made.text), "done", "the right one");

const cells: readonly Cell[] = [
  [
    "works once, until the last moment",
    async (estate, kind) => {
      const made = await kind.make(estate);
      if (made.lifetime !== undefined && kind.hasVagueEnd !== true) estate.server.clock.now += made.lifetime - 1000;
      await good(made);
      refused(kind, await made.present(made.text), "used twice");
    },
  ],
  [
    "works once of many at the same time",
    async (estate, kind) => {
      const made = await kind.make(estate);
      const all = await Promise.all(Array.from({ length: crowd }, () => made.present(made.text)));
      assert.equal(all.filter((words) => words === "done").length, 1, all.join());
      // After that many failures with a factor, further attempts are refused.
      const others = all.filter((words) => words !== "done" && words !== "factor.blocked");
      for (const words of others) refused(kind, words, "at the same time");
    },
  ],
  [
    "is of no use when its time is over",
    async (estate, kind) => {
      const made = await kind.make(estate);
      if (made.lifetime === undefined) return;
      estate.server.clock.now += made.lifetime;
      refused(kind, await made.present(made.text), "expired");
    },
  ],
  [
    "is not what looks like it, and trying does not spend it",
    async (estate, kind) => {
      if (kind.hasNoLetters === true) return;
      const made = await kind.make(estate);
      for (const lookalike of lookalikes(made.text, kind.isForgiving)) {
        refused(kind, await made.present(lookalike), lookalike);
      }
      await good(made);
    },
  ],
  [
    "is nothing to anybody else, and trying does not spend it",
    async (estate, kind) => {
      const made = await kind.make(estate);
      if (made.presentAsOther !== undefined) {
        const words = await made.presentAsOther(made.text);
        assert.notEqual(words, "done", "of somebody else");
      }
      await good(made);
    },
  ],
  [
    "is nothing in another instance, and trying does not spend it",
    async (estate, kind) => {
      const made = await kind.make(estate);
      assert.notEqual(await made.present(made.text, "there"), "done", "in another instance");
      await good(made);
    },
  ],
  [
    "dies with a newer one",
    async (estate, kind) => {
      const made = await kind.make(estate);
      if (made.renew === undefined) return;
      const newer = await made.renew();
      if (newer.text !== made.text) refused(kind, await made.present(made.text), "the older one");
      // A key's answer to the older challenge uses the newer up as well.
      if (kind.hasNoLetters !== true) await good(newer);
    },
  ],
];

eachEngine((_open, engine) => {
  test("a one-time secret works once, in its place, in its time, and for its user", async (t) => {
    const estate = await makeEstate(t, engine);
    const kinds = [...kindsOfUsers, ...kindsOfFactors, ...kindsOfOAuth, ...kindsOfOthers(t, estate.createInstance)];
    const covered = new Set(kinds.flatMap(({ covers }) => covers));
    const all = [...oneTimeSecretKinds, ...(await hashedColumns(estate.server.app.domain.database))];
    assert.deepEqual(
      all.filter((each) => !covered.has(each) && !(each in notOnce)),
      [],
      "secrets without a row here",
    );
    assert.deepEqual(
      [...covered].filter((each) => !all.includes(each as "setup_link") && each !== "user_factors.last_time_step"),
      [],
      "rows about secrets that are none",
    );
    let number = engine === "sqlite" ? 0 : 4;
    // The short version takes every eighth, and few of the pairs, the other engine others.
    const isAsked = (every = 8): boolean => isLong() || number++ % every === 0;
    const complaints: string[] = [];
    const prove = async (what: string, work: () => Promise<void>): Promise<void> => {
      const failure = await work().catch((error: Error) => error);
      if (failure !== undefined) complaints.push(`${what}: ${failure.message}`);
    };
    let count = 0;
    for (const kind of kinds) {
      for (const [what, work] of cells) {
        if (!isAsked()) continue;
        count += 1;
        await prove(`${kind.name} ${what}`, () => work(estate, kind));
      }
      const endings = Object.keys((await kind.make(estate)).endings);
      for (const ending of endings) {
        if (!isAsked()) continue;
        count += 1;
        await prove(`${kind.name} dies when ${ending}`, async () => {
          const made = await kind.make(estate);
          await made.endings[ending]?.();
          assert.notEqual(await made.present(made.text), "done");
        });
      }
    }
    for (const [kind, other] of pairsOf(kinds).filter(() => isAsked(60))) {
      count += 1;
      await prove(`${other.name} in the place of ${kind.name}`, () => proveApart(estate, kind, other));
    }
    t.diagnostic(`${count} cells of ${kinds.length} kinds`);
    assert.deepEqual(complaints, []);
  });
});

const pairsOf = (kinds: readonly Kind[]): (readonly [Kind, Kind])[] =>
  kinds.flatMap((kind) => kinds.filter((other) => other !== kind).map((other) => [kind, other] as const));

/** Every column of the database in which there are hashes of secrets: `table.column`. */
async function hashedColumns({ engine, read }: Database): Promise<string[]> {
  const statement: Sql =
    engine === "sqlite"
      ? text(`select m.name || '.' || c.name as "name" from sqlite_schema m, pragma_table_info(m.name) c
          where m.type = 'table' and c.name like '%~_hash' escape '~'`)
      : text(`select table_name || '.' || column_name as "name" from information_schema.columns
          where table_schema = 'public' and column_name like '%~_hash' escape '~'`);
  return (await read.all<{ name: string }>(statement)).map(({ name }) => name);
}
