import assert from "node:assert/strict";
import { test } from "node:test";
import { UpdateUserRequest_Human_ProfileSchema as ChangedSchema } from "@doorward/api/service/user/v2/user_operations_pb";
import { HumanProfileSchema, SetHumanProfileSchema } from "@doorward/api/service/user/v2/user_pb";
import { defaultOrganization } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

/** A value of every field of a profile. */
const profile = {
  givenName: "Ada",
  familyName: "Lovelace",
  nickName: "Countess",
  displayName: "A. Lovelace",
  preferredLanguage: "en-GB",
  gender: "GENDER_FEMALE",
};

test("every field of a profile has a value in this test", () => {
  const names = Object.keys(profile);
  for (const { fields, typeName } of [SetHumanProfileSchema, ChangedSchema, HumanProfileSchema]) {
    // A picture is uploaded.
    const ours = fields.map(({ localName }) => localName).filter((name) => name !== "avatarUrl");
    assert.deepEqual(ours.toSorted(), names.toSorted(), typeName);
  }
});

eachServer((start) => {
  test("a profile is read as it was sent, when a user is created and when one is changed", async (t) => {
    const server = await start(t);
    const organizationId = await defaultOrganization(server);
    const create = async (username: string, given: object): Promise<string> => {
      const human = { profile: given, email: { email: `${username}@mail.example`, isVerified: true } };
      const { status, body } = await server.rest("POST", "/v2/users/new", {
        body: { organizationId, username, human },
      });
      assert.equal(status, 200, JSON.stringify(body));
      return body.id;
    };
    const read = async (userId: string) => (await server.rest("GET", `/v2/users/${userId}`)).body.user.human.profile;
    const change = async (userId: string, given: object) => {
      const { status, body } = await server.rest("PATCH", `/v2/users/${userId}`, {
        body: { human: { profile: given } },
      });
      assert.equal(status, 200, JSON.stringify(body));
    };

    const created = await create("created", profile);
    assert.deepEqual(await read(created), { ...profile, avatarUrl: "" });
    const changed = await create("changed", { givenName: "Eve", familyName: "Other" });
    await change(changed, profile);
    assert.deepEqual(await read(changed), { ...profile, avatarUrl: "" });
    await change(changed, { givenName: "Augusta" });
    assert.deepEqual(
      await read(changed),
      { ...profile, givenName: "Augusta", avatarUrl: "" },
      "the rest is left alone",
    );
  });
});
