import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DataOrgSchema } from "@doorward/api/service/admin/v1/data_pb";
import { ImportHumanUserRequestSchema } from "@doorward/api/service/management/v1/user_pb";
import { portionsOf } from "../../src/api/v1/admin/data/side-by-side.ts";
import { userEntries } from "../../src/api/v1/admin/data/user-entries.ts";
import { eachServer } from "../support/servers/each-server.ts";

const person = (userId: string, userName: string) => ({
  userId,
  user: {
    userName,
    profile: { firstName: "P", lastName: "P" },
    email: { email: `${userName}@mail.example`, isEmailVerified: true },
  },
});

eachServer((start) => {
  test("users are imported side by side and told in their order, and the first one has an id or a name", async (t) => {
    const server = await start(t);
    const humanUsers = Array.from({ length: 60 }, (_, index) => person(`u${index}`, `user${index}`));
    humanUsers[10] = person("u10", "USER9");
    humanUsers[20] = person("u2", "user20");
    const userMetadata = Array.from({ length: 40 }, (_, index) => ({
      id: `u${30 + (index % 20)}`,
      key: "plan",
      value: Buffer.from(`plan ${index}`).toString("base64"),
    }));
    const orgs = [{ orgId: "7", org: { name: "Seven" }, humanUsers, userMetadata }];
    const { status, body } = await server.connect("service.admin.v1.AdminService/ImportData", { dataOrgs: { orgs } });
    assert.equal(status, 200, JSON.stringify(body));
    const refused = body.errors.map(({ type, id, message }: { type: string; id: string; message: string }) => {
      const [, slug] = /\(([\w.]+)\)$/.exec(message) ?? [];
      return `${type} ${id} ${slug}`;
    });
    assert.deepEqual(refused, ["human_user u10 user.username_taken", "human_user u2 user.id_taken"]);
    const [{ humanUserIds, userMetadata: told }] = body.success.orgs;
    assert.deepEqual(
      humanUserIds,
      humanUsers.filter((_, index) => index !== 10 && index !== 20).map(({ userId }) => userId),
    );
    assert.deepEqual(
      told.map(({ userId }: { userId: string }) => userId),
      userMetadata.map(({ id }) => id),
    );
    const { body: last } = await server.rest("GET", "/management/v1/users/u35/metadata/plan", {
      headers: { "x-service-orgid": "7" },
    });
    assert.equal(Buffer.from(last.metadata.value, "base64").toString(), "plan 25");
  });
});

test("users with names that are compared as one are imported one after another", () => {
  const timesOf = (...names: readonly string[]): number => {
    const humanUsers = names.map((userName, index) => ({
      userId: `${index}`,
      user: create(ImportHumanUserRequestSchema, { userName, email: { email: `${index}@mail.example` } }),
    }));
    const organization = create(DataOrgSchema, { orgId: "7", humanUsers });
    return userEntries.flatMap((entriesOf) => [...portionsOf(entriesOf(organization))]).length;
  };
  assert.equal(timesOf("bob", "eve", "ada"), 1);
  assert.equal(timesOf("bob", "BOB"), 2);
  // Full-width letters, and the domain that the organization may have.
  assert.equal(timesOf("bob", "\uff42\uff4f\uff42"), 2);
  assert.equal(timesOf("bob", "bob@seven.localhost"), 2);
  assert.equal(timesOf("bob@b\u00fccher.example", "bob@xn--bcher-kva.example"), 2);
});
