import assert from "node:assert/strict";
import { test } from "node:test";
import { findUser, type HumanUser, setUserMetadata } from "../../src/domain/user/index.ts";
import { updateUser } from "../../src/domain/user-management/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeUserFixtures, outcomeOf, password } from "./support.ts";

eachEngine((open) => {
  test("parallel changes of different parts are all kept", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const { userId } = await fixtures.person(await fixtures.organization("Acme"));
    const parts = [{ nickName: "Nick" }, { givenName: "New" }, { familyName: "Newer" }, { preferredLanguage: "de" }];
    await Promise.all(parts.map((profile) => updateUser(fixtures, fixtures.owner, { userId, human: { profile } })));
    const user = (await findUser(fixtures.database.read, "instance-1", userId)) as HumanUser;
    assert.deepEqual(user.profile, {
      nickName: "Nick",
      givenName: "New",
      familyName: "Newer",
      preferredLanguage: "de",
    });
    assert.equal(user.displayName, "New Newer");
    assert.equal(user.details.sequence, 5);
  });

  test("setting current values changes nothing and records no event", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    const { userId } = user;
    const metadata = [{ key: "plan", value: Buffer.from("gold") }];
    await setUserMetadata(fixtures, fixtures.owner, { userId, metadata });
    const { details } = await updateUser(fixtures, fixtures.owner, {
      userId,
      username: user.username,
      human: {
        profile: { ...user.profile, displayName: user.displayName },
        email: { address: user.email.address, verification: { by: "trust" } },
        phone: { number: "", verification: { by: "nothing" } },
      },
      metadata,
    });
    assert.equal(details.sequence, 2);
  });

  test("a change that is refused in one part is not applied at all", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const user = await fixtures.person(await fixtures.organization("Acme"));
    const { userId } = user;
    const change = (human: object) =>
      outcomeOf(
        updateUser(fixtures, fixtures.self(user), {
          userId,
          username: "other",
          human: { profile: { nickName: "N" }, ...human },
        }),
      );
    const wrong = { by: "code", code: "WRONG1" } as const;
    const next = { password: "another long passphrase", isChangeRequired: false };
    assert.equal(
      await change({ phone: { number: "1", verification: { by: "nothing" } } }),
      "invalid_argument user.phone_invalid",
    );
    assert.equal(await change({ password: { password: next, proof: wrong } }), "invalid_argument user.code_invalid");
    assert.equal(
      await change({ password: { password: { ...next, password }, proof: { by: "current_password", password } } }),
      "invalid_argument user.password_same",
    );
    assert.deepEqual((await findUser(fixtures.database.read, "instance-1", userId))?.username, user.username);
  });

  test("human users cannot be changed as service accounts, nor the other way round", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    const { userId } = await fixtures.user(organization);
    assert.equal(
      await outcomeOf(updateUser(fixtures, fixtures.owner, { userId, human: { profile: { nickName: "N" } } })),
      "failed_precondition user.not_human",
    );
    await updateUser(fixtures, fixtures.owner, { userId, machine: { name: "Robot", accessTokenFormat: "jwt" } });
    const user = await findUser(fixtures.database.read, "instance-1", userId);
    assert.deepEqual([user?.displayName, user?.kind === "machine" && user.accessTokenFormat], ["Robot", "jwt"]);
  });

  test("the settings say what a new password must be like", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    const user = await fixtures.person(organization, { username: "jane.doe" });
    const { userId } = user;
    const set = (text: string) =>
      outcomeOf(
        updateUser(fixtures, fixtures.manager(organization), {
          userId,
          human: { password: { password: { password: text, isChangeRequired: false }, proof: { by: "permission" } } },
        }),
      );
    assert.equal(await set("elevenchars"), "invalid_argument user.password_too_short");
    assert.equal(await set("jane.doe2027!"), "invalid_argument user.password_common");
    assert.equal(await set("abababababab"), "invalid_argument user.password_common");
    assert.equal(await set("a".repeat(1001)), "invalid_argument password.too_long");
    assert.equal(await set("eleven\ud800chars"), "invalid_argument password.malformed");
    assert.equal(await set("👩👩👩👩👩👩👩👩👩👩👩👩"), "invalid_argument user.password_common");
    assert.equal(await set("naïve café 日本 ✓"), "done");
    assert.equal(await set(`${"correct horse ".repeat(9)}ok`), "done", "128 characters");
  });
});
