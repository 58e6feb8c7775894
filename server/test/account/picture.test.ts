import assert from "node:assert/strict";
import { svg } from "../branding/support/files.ts";
import { visit } from "../login/support/sign-in.ts";
import { exif, realPng, wholeJpeg } from "../support/data/pictures.ts";
import { addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import type { ShownPage } from "../support/sign-in/test-browser.ts";
import { newsOf, type Owner, ownerOf, withSession } from "./support/account.ts";
import { filled, formOf, savePicture } from "./support/picture.ts";

const profile = "/ui/account/profile";

const shown = ({ html }: ShownPage): readonly string[] =>
  [...html.matchAll(/<img class="avatar" alt="" width="36" height="36" src="(\/avatars\/[\w.-]+)">/g)].map(
    ([, path = ""]) => path,
  );

serversInTurn((start, test, both) => {
  both("a user saves and removes a picture on the profile page, without script", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const owner = await ownerOf(server, ada);
    const avatarOf = async (): Promise<string> =>
      (await server.rest("GET", `/v2/users/${ada.userId}`)).body.user.human.profile.avatarUrl;
    assert.deepEqual(shown(await owner.open(profile)), []);

    await t.test("saved, it appears wherever the user is named in this browser", async () => {
      const saved = await savePicture(server, owner, realPng(40, 30));
      assert.equal(saved.status, 303);
      const page = await owner.browser.open(saved.location ?? "");
      assert.equal(newsOf(page), "Your picture is saved.");
      const [path = "", again] = shown(page);
      assert.equal(again, path, "beside the names, and where it is chosen");
      assert.equal(await avatarOf(), server.origin + path);
      assert.match(page.headers.get("content-security-policy") ?? "", /img-src 'self' data:;/);
      assert.deepEqual(Buffer.from(await (await fetch(server.origin + path)).arrayBuffer()), realPng(40, 30));
      for (const address of ["/", withSession("/ui/account", owner.sessionId), "/ui/logout"]) {
        assert.deepEqual(shown(await owner.browser.open(address)), [path], address);
      }
      const client = await addClient(server);
      const { page: picker } = await visit(server, client, { prompt: "select_account" }, owner.browser);
      assert.deepEqual(shown(picker), [path]);
    });

    await t.test("where a name was only entered it is not told whether there is a picture", async () => {
      const stranger = await ownerOf(server, await addPerson(server, { username: "stranger" }));
      const page = await stranger.browser.open("/ui/login?account=other");
      const asked = await stranger.browser.submit(page, { login_name: ada.loginName });
      assert.match(asked.html, /name="password"/);
      assert.deepEqual(shown(asked), []);
    });

    await t.test("a new picture replaces it", async () => {
      const before = await avatarOf();
      assert.equal((await savePicture(server, owner, wholeJpeg(30, 40, [exif(6)]))).status, 303);
      assert.match(await avatarOf(), /\.jpg$/);
      assert.equal((await fetch(before)).status, 404);
    });

    await t.test("a file that is not a picture, too large or missing is reported at the input", async () => {
      const before = await avatarOf();
      const rows: readonly [Buffer | undefined, RegExp][] = [
        [undefined, /Choose a picture\./],
        [svg("<script>alert(1)</script>"), /not a picture that can be used/],
        [Buffer.from("<!doctype html>"), /not a picture that can be used/],
        [realPng(60, 60).subarray(0, 50), /not a picture that can be used/],
        [realPng(2049, 1), /at most 2,?048 pixels/],
        [Buffer.concat([realPng(9, 9), Buffer.alloc(512 * 1024)]), /at most 512 kB/],
      ];
      for (const [bytes, sentence] of rows) {
        const { status, html } = await savePicture(server, owner, bytes);
        assert.equal(status, 200);
        assert.match(html, sentence);
        assert.match(html, /<a href="#picture">/);
        assert.match(html, /<input type="file" id="picture"[^>]* aria-invalid="true"/);
        assert.match(html, /value="Example"/, "the names stay");
      }
      assert.equal((await savePicture(server, owner, Buffer.alloc(1024 * 1024))).status, 413);
      assert.equal(await avatarOf(), before);
    });

    await t.test("when the picture is removed, the initial is shown again", async () => {
      const page = await owner.browser.submit(await owner.open(profile), {}, { action: "/picture/remove" });
      assert.equal(newsOf(page), "Your picture is removed.");
      assert.deepEqual(shown(page), []);
      assert.equal(await avatarOf(), "");
      assert.ok(page.forms.every(({ action }) => !action.includes("/picture/remove")));
    });
  });

  test("a form with a file is taken from our own page in its own browser alone, as every form", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const owner = await ownerOf(server, ada);
    const other = await ownerOf(server, await addPerson(server, { username: "bob" }));
    const form = formOf(await owner.open(profile), "/picture?");
    const hasPicture = async () =>
      (await server.rest("GET", `/v2/users/${ada.userId}`)).body.user.human.profile.avatarUrl !== "";
    const send = (by: Owner, body: FormData | URLSearchParams | string, headers: Record<string, string>) =>
      by.browser.send(form.action, { method: "POST", body, headers });
    const own = { origin: server.origin };

    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const answer = await send(owner, filled(form, realPng(9, 9)), headers as Record<string, string>);
      assert.equal(answer.status, 403, JSON.stringify(headers));
    }
    const without = filled(form, realPng(9, 9));
    without.delete("csrf_token");
    assert.equal((await send(owner, without, own)).status, 303, "leads to the page as it is now");
    const wrong = filled(form, realPng(9, 9));
    wrong.set("csrf_token", formOf(await other.open(profile), "/picture?").values[0]?.[1] ?? "");
    assert.equal((await send(owner, wrong, own)).status, 303);
    const asFile = filled(form, realPng(9, 9));
    asFile.set("csrf_token", new Blob([form.values[0]?.[1] ?? ""]));
    assert.equal((await send(owner, asFile, own)).status, 303, "a token that comes as a file is none");
    const encoded = new URLSearchParams(form.values.map(([name, value]) => [name, value]));
    assert.equal((await send(owner, encoded, own)).status, 403, "another encoding");
    const broken = { ...own, "content-type": "multipart/form-data; boundary=x" };
    assert.equal((await send(owner, "--y", broken)).status, 403);
    const crowded = filled(form, realPng(9, 9));
    for (let count = 0; count < 20; count++) crowded.append("x", "");
    assert.equal((await send(owner, crowded, own)).status, 403, "many fields");
    // The session of another user is invalid here.
    assert.equal(
      (await send(other, filled(formOf(await other.open(profile), "/picture?"), realPng(9, 9)), own)).status,
      303,
    );
    assert.equal(await hasPicture(), false);

    const names = formOf(await owner.open(profile), "/profile?");
    const data = new FormData();
    for (const [name, value] of names.values) data.set(name, value);
    const answer = await owner.browser.send(names.action, { method: "POST", body: data, headers: own });
    assert.equal(answer.status, 403, "no other form is taken with files");
    assert.equal((await send(owner, filled(form, realPng(9, 9)), own)).status, 303);
    assert.equal(await hasPicture(), true);
  });
});
