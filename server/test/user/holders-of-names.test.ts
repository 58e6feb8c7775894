import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Call } from "../../src/call/index.ts";
import { type Sql, sql } from "../../src/database/index.ts";
import { findUserByLoginName, findUserByPhone } from "../../src/domain/login-name/index.ts";
import { assertedBy, changeUserState, findUser, removeUsers } from "../../src/domain/user/index.ts";
import { createHumanUser, createMachineUser, updateUser } from "../../src/domain/user-management/index.ts";
import { eachEngine, type OpenDatabase } from "../support/databases/databases.ts";
import { testTime } from "../support/operations/fixtures.ts";
import { makeUserFixtures } from "./support.ts";

const names = ["root", "jane", "ciso@corp.example", "cfo@corp.example", "ops@mail.example"];
const addresses = names.filter((name) => name.includes("@"));
const numbers = ["+41791112233", "+41791112244"];
const proofs = ["code", "organization", "instance", "provider", "instance provider", "none"] as const;
type Proof = (typeof proofs)[number];

/** Numbers below a limit, the same ones in every run (Numerical Recipes' linear congruential generator). */
function sequence(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

interface Member {
  readonly userId: string;
  readonly organizationId: string;
}

async function setUp(t: TestContext, open: OpenDatabase, random: (limit: number) => number) {
  const fixtures = await makeUserFixtures(t, open);
  const { database } = fixtures;
  const organizations = [
    await fixtures.organization("Home"),
    await fixtures.organization("Bank"),
    await fixtures.organization("Evil"),
  ];
  const [home = "", bank = "", evil = ""] = organizations.map(({ organizationId }) => organizationId);
  const run = (statement: Sql) => database.touch(fixtures.owner, (tx) => tx.run(statement));
  await run(sql`insert into instances (instance_id, name, state, default_language, default_organization_id, system_project_id,
      sequence, created_at, changed_at) values ('instance-1', 'Test', 'active', 'en', ${home}, 'p', 1, 1, 1)`);
  let now = testTime;
  const owner = (): Call => fixtures.as([{ role: "IAM_OWNER", level: "instance" }], { now: ++now });
  const manager = (organizationId: string): Call =>
    fixtures.as([{ role: "ORG_OWNER", level: "organization", resourceId: organizationId }], { now: ++now });
  const self = ({ userId, organizationId }: Member): Call => fixtures.as([], { userId, organizationId, now: ++now });
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;

  function verification(kind: Proof, organizationId: string) {
    if (kind === "none") return { isVerified: false };
    const by = {
      code: { by: "code" },
      organization: assertedBy(manager(organizationId), organizationId),
      instance: assertedBy(owner(), organizationId),
      provider: { by: "provider", identityProviderId: "p", organizationId },
      "instance provider": { by: "provider", identityProviderId: "p", organizationId: "" },
    } as const;
    return { isVerified: true, proof: by[kind] };
  }

  /** Makes a user with random names; undefined where that is refused. */
  async function make(organizationId: string, call: Call, kinds: readonly Proof[]): Promise<Member | undefined> {
    const address = pick(addresses);
    const username = random(2) === 0 ? address : pick([...names.slice(0, 2), `own${now}`]);
    const created = database.change<Member>(call, (tx) =>
      random(6) === 0 && !username.includes("@")
        ? createMachineUser(tx, fixtures, { organizationId, username, name: "Bot" })
        : createHumanUser(tx, fixtures, {
            organizationId,
            username,
            profile: { givenName: "Given", familyName: "Family" },
            email: { address, ...verification(pick(kinds), organizationId) },
            ...(random(2) === 0 && { phone: { number: pick(numbers), ...verification(pick(kinds), organizationId) } }),
          }),
    );
    const user = await created.catch(() => undefined);
    return user && { userId: user.userId, organizationId };
  }

  const meanings = async () => {
    const found: Record<string, Awaited<ReturnType<typeof findUserByLoginName>>> = {};
    for (const name of names) found[name] = await findUserByLoginName(database.read, "instance-1", name);
    for (const number of numbers) found[number] = await findUserByPhone(database.read, "instance-1", number);
    return found;
  };
  const appoint = ({ userId }: Member) =>
    run(sql`insert into membership_roles (instance_id, level, resource_id, user_id, role)
      values ('instance-1', 'instance', 'instance-1', ${userId}, 'IAM_OWNER') on conflict do nothing`);
  return { fixtures, home, bank, evil, owner, manager, self, pick, make, meanings, appoint, verification };
}

type Setting = Awaited<ReturnType<typeof setUp>>;

/** One thing that administrators or users of an organization do to its users. */
async function act(
  { fixtures, manager, self, pick, make }: Setting,
  at: string,
  users: Member[],
  random: (n: number) => number,
) {
  const some = users.length > 0 ? pick(users) : undefined;
  const what = some === undefined ? 0 : random(6);
  if (what <= 2 || some === undefined) {
    const made = await make(at, manager(at), ["organization", "provider", "none"]);
    if (made !== undefined) users.push(made);
    return `made ${JSON.stringify(made)}`;
  }
  const { userId } = some;
  const changes: Record<number, () => Promise<unknown>> = {
    3: () => updateUser(fixtures, self(some), { userId, username: pick(names) }),
    4: () => updateUser(fixtures, manager(at), { userId, username: pick(names) }),
    5: () =>
      random(2) === 0
        ? changeUserState(fixtures, manager(at), { userId, move: pick(["lock", "unlock", "deactivate", "reactivate"]) })
        : fixtures.database.change(manager(at), async (tx) => {
            const user = await findUser(tx, "instance-1", userId);
            if (user !== undefined) await removeUsers(tx, [user]);
          }),
  };
  const done = await changes[what]?.().then(
    () => "done",
    (error: Error) => error.message,
  );
  return `${what} ${userId} ${done}`;
}

const strip = (user: Member | undefined) => user && { userId: user.userId, organizationId: user.organizationId };

eachEngine((open) => {
  test("nothing that an organization does changes whom a name outside of it means, in random instances (A12)", async (t) => {
    const random = sequence(20_271_124);
    let kept = 0;
    for (let round = 0; round < 10; round++) {
      const setting = await setUp(t, open, random);
      const { fixtures, home, bank, evil, owner, pick, make, meanings, appoint, self, manager } = setting;
      const evils: Member[] = [];
      for (let count = 0; count < 10; count++) {
        const at = pick([home, bank, evil]);
        const call = at === evil ? manager(evil) : pick([owner(), manager(at)]);
        const kinds: readonly Proof[] = at === evil ? ["organization", "provider", "none"] : proofs;
        const made = await make(at, call, kinds);
        if (made === undefined) continue;
        const fate = random(4);
        if (at === evil) evils.push(made);
        else if (fate === 0) await appoint(made);
        else if (fate === 1)
          await updateUser(fixtures, self(made), { userId: made.userId, username: pick(names) }).catch(() => undefined);
        if (at !== evil && random(4) === 0)
          await changeUserState(fixtures, owner(), { userId: made.userId, move: pick(["lock", "deactivate"]) }).catch(
            () => undefined,
          );
      }
      const before = await meanings();
      const did: string[] = [];
      for (let count = 0; count < 30; count++) {
        did.push(await act(setting, evil, evils, random));
        const after = await meanings();
        for (const [name, user] of Object.entries(before)) {
          if (user === undefined || user.organizationId === evil) continue;
          // An address or a number of a user who may not sign in means the next one.
          if (user.state !== "active" && !["root", "jane"].includes(name)) continue;
          assert.deepEqual(strip(after[name]), strip(user), `round ${round}, ${name}:\n${did.join("\n")}`);
          kept++;
        }
      }
    }
    assert.ok(kept > 500, `${kept} names were held by others`);
  });

  test("administrators of the instance and users of the default organization have their names back", async (t) => {
    const setting = await setUp(t, open, sequence(1));
    const { fixtures, home, bank, evil, owner, manager, self, appoint, meanings } = setting;
    const person = (organizationId: string, call: Call, username: string, address: string, isVerified: boolean) =>
      fixtures.database.change(call, (tx) =>
        createHumanUser(tx, fixtures, {
          organizationId,
          username,
          profile: { givenName: "Given", familyName: "Family" },
          email: { address, isVerified, ...(isVerified && { proof: assertedBy(call, organizationId) }) },
        }),
      );
    const holder = async (name: string) => (await meanings())[name]?.userId;
    const [ciso = "", cfo = "", ops = ""] = addresses;
    for (const [count, address] of addresses.entries())
      await person(evil, manager(evil), `early${count}`, address, true);
    const joe = await person(evil, manager(evil), "joe", "joe@evil.example", true);
    await updateUser(fixtures, self(joe), { userId: joe.userId, username: "root" });
    await person(evil, manager(evil), "jane", "jane@evil.example", true);

    const vouched = await person(bank, owner(), "ciso", ciso, true);
    assert.equal(await holder(ciso), vouched.userId, "the word of an administrator of the instance");
    const chief = await person(bank, owner(), cfo, cfo, false);
    assert.notEqual(await holder(cfo), chief.userId);
    await appoint(chief);
    assert.equal(await holder(cfo), chief.userId, "an administrator of the instance");
    const operator = await person(home, manager(home), "ops", ops, true);
    assert.equal(await holder(ops), operator.userId, "a user of the default organization");

    assert.equal(await holder("root"), joe.userId);
    const root = await person(home, owner(), "root", "root@home.example", true);
    await appoint(root);
    assert.equal(await holder("root"), root.userId, "a bare name (N7)");
    const guest = await person(home, owner(), "guest", "guest@home.example", true);
    const jane = await holder("jane");
    await updateUser(fixtures, self(guest), { userId: guest.userId, username: "jane" });
    assert.equal(await holder("jane"), jane, "a name of one's own choice displaces no other");
  });

  test("an address or a number means an active user before all others, whatever the reach of their proofs", async (t) => {
    const [address, number] = ["vera@mail.example", "+41791112233"];
    const kinds = ["code", "instance", "organization"] as const;
    for (const former of kinds) {
      for (const later of kinds) {
        const { fixtures, bank, evil, owner, verification } = await setUp(t, open, sequence(1));
        const person = (organizationId: string, kind: Proof) =>
          fixtures.database.change(owner(), (tx) =>
            createHumanUser(tx, fixtures, {
              organizationId,
              username: "vera",
              profile: { givenName: "Given", familyName: "Family" },
              email: { address, ...verification(kind, organizationId) },
              phone: { number, ...verification(kind, organizationId) },
            }),
          );
        const holders = async () => {
          const { read } = fixtures.database;
          const found = [
            await findUserByLoginName(read, "instance-1", address),
            await findUserByPhone(read, "instance-1", number),
          ];
          return found.map((user) => user?.userId);
        };
        const move = ({ userId }: Member, what: "lock" | "unlock" | "deactivate" | "reactivate") =>
          changeUserState(fixtures, owner(), { userId, move: what });
        const what = `${former} before ${later}`;
        const first = { ...(await person(bank, former)), organizationId: bank };
        const second = { ...(await person(evil, later)), organizationId: evil };
        const [best, next] = kinds.indexOf(later) < kinds.indexOf(former) ? [second, first] : [first, second];
        assert.deepEqual(await holders(), [best.userId, best.userId], what);
        for (const [off, on] of [["deactivate", "reactivate"] as const, ["lock", "unlock"] as const]) {
          await move(best, off);
          assert.deepEqual(await holders(), [next.userId, next.userId], `${what}, ${off}`);
          await move(best, on);
          assert.deepEqual(await holders(), [best.userId, best.userId], `${what}, ${on}`);
        }
      }
    }
  });

  test("inside of an organization as well, where it is a name of others too", async (t) => {
    const { fixtures, bank, owner, manager, verification } = await setUp(t, open, sequence(1));
    const address = "vera@mail.example";
    const person = (username: string, kind: Proof) =>
      fixtures.database.change(owner(), (tx) =>
        createHumanUser(tx, fixtures, {
          organizationId: bank,
          username,
          profile: { givenName: "Given", familyName: "Family" },
          email: { address, ...verification(kind, bank) },
        }),
      );
    const find = async () =>
      (await findUserByLoginName(fixtures.database.read, "instance-1", address, { organizationId: bank }))?.userId;
    const [proven, verified, named] = [
      await person("proven", "code"),
      await person("verified", "organization"),
      await person(address, "none"),
    ];
    assert.equal(await find(), proven.userId);
    const off = (userId: string) => changeUserState(fixtures, manager(bank), { userId, move: "deactivate" });
    await off(proven.userId);
    assert.equal(await find(), verified.userId);
    await off(verified.userId);
    assert.equal(await find(), proven.userId, "a username alone takes the address from none of them");
    assert.notEqual(await find(), named.userId);
  });
});
