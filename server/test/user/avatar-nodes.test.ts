import assert from "node:assert/strict";
import { test } from "node:test";
import { upload } from "../branding/support/files.ts";
import { realPng } from "../support/data/pictures.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson, sessionOf } from "../support/people/people.ts";
import { startCluster } from "../support/servers/nodes.ts";

onPostgres(() => {
  test("a picture that was taken away is gone on every node at once", async (t) => {
    const { first, other } = await startCluster(t, "postgres", 2);
    const person = await addPerson(first, { username: "painter" });
    const { token } = await sessionOf(first, person);
    assert.equal((await upload(first, "users/me/avatar", realPng(9, 9), { token })).status, 200);
    const { avatarUrl } = (await first.rest("GET", `/v2/users/${person.userId}`)).body.user.human.profile;
    const statusOn = async ({ origin }: { origin: string }) => {
      const answer = await fetch(origin + new URL(avatarUrl).pathname, {
        headers: { host: new URL(first.origin).host },
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    assert.deepEqual([await statusOn(other), await statusOn(other), await statusOn(first)], [200, 200, 200]);
    assert.equal((await first.rest("DELETE", "/auth/v1/users/me/avatar", { token })).status, 200);
    assert.deepEqual([await statusOn(other), await statusOn(first)], [404, 404]);
  });
});
