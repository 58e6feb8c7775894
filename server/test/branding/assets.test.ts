import assert from "node:assert/strict";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { font, jpeg, openTypeFont, png, svg, upload, webp } from "./support/files.ts";

const label = "/management/v1/policies/label";
const colours = { primaryColor: "#123456" };
const context = (organizationId: string) => ({ headers: { "x-service-orgid": organizationId } });

const policy = async (server: TestServer, organizationId: string, path = "") =>
  (await server.rest("GET", label + path, context(organizationId))).body.policy;

const fileCount = async ({ app: { domain } }: TestServer): Promise<number> => {
  const { sql } = await import("../../src/database/index.ts");
  const [row] = await domain.database.read.all<{ count: number }>(
    sql`select count(*) as count from branding_assets where instance_id <> ''`,
  );
  return Number(row?.count);
};

const pathOf = (url: string): string => new URL(url).pathname;

eachServer((start) => {
  test("pictures and the font of a branding", async (t) => {
    const server = await start(t);
    const acme = await addOrganization(server, "Acme");
    const other = await addOrganization(server, "Other");
    const to = { organizationId: acme };

    await t.test("an organization first needs its own branding", async () => {
      const refused = await upload(server, "org/policy/label/logo", png(10, 10), to);
      assert.deepEqual(refused, { status: 404, id: "branding.not_own" });
      const activated = await server.rest("POST", `${label}/_activate`, { ...context(acme), body: {} });
      assert.equal(activated.body.details[0].id, "branding.not_own");
      assert.equal((await server.rest("POST", label, { ...context(acme), body: colours })).status, 200);
    });

    await t.test("uploads go into the draft, and take effect once it is activated", async () => {
      const slots = [
        ["logo", png(200, 50)],
        ["logo/dark", svg()],
        ["icon", webp(64, 64)],
        ["icon/dark", jpeg(32, 32)],
        ["font", font()],
      ] as const;
      for (const [slot, bytes] of slots) {
        assert.equal((await upload(server, `org/policy/label/${slot}`, bytes, to)).status, 200, slot);
      }
      const draft = await policy(server, acme, "/_preview");
      assert.equal((await policy(server, acme)).logoUrl, "");
      const urls = [draft.logoUrl, draft.logoUrlDark, draft.iconUrl, draft.iconUrlDark, draft.fontUrl];
      assert.deepEqual(
        urls.map((url: string) => url.split(".").at(-1)),
        ["png", "svg", "webp", "jpg", "woff2"],
      );
      await server.rest("PUT", label, { ...context(acme), body: { primaryColor: "#654321" } });
      await server.rest("POST", `${label}/_activate`, { ...context(acme), body: {} });
      const active = await policy(server, acme);
      assert.equal(active.logoUrl, draft.logoUrl, "changing colours leaves pictures alone");
      assert.equal(active.primaryColor, "#654321");
      const settings = await server.rest("GET", `/v2/settings/branding?ctx.orgId=${acme}`);
      assert.equal(settings.body.settings.darkTheme.logoUrl, active.logoUrlDark);
      assert.equal(settings.body.settings.fontUrl, active.fontUrl);
      assert.equal(await fileCount(server), 5);
    });

    await t.test("files are served to every caller with their own type, and may be cached forever", async () => {
      const { logoUrl, logoUrlDark, fontUrl } = await policy(server, acme);
      const types = [
        [logoUrl, "image/png"],
        [logoUrlDark, "image/svg+xml"],
        [fontUrl, "font/woff2"],
      ] as const;
      for (const [url, type] of types) {
        const answer = await fetch(url);
        assert.equal(answer.status, 200);
        const { headers } = answer;
        assert.equal(headers.get("content-type"), type);
        assert.equal(headers.get("x-content-type-options"), "nosniff");
        assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
        assert.equal(headers.get("content-security-policy"), "default-src 'none'; style-src 'unsafe-inline'; sandbox");
        assert.equal(headers.get("access-control-allow-origin"), "*");
        const again = await fetch(url, { headers: { "if-none-match": headers.get("etag") ?? "" } });
        assert.equal(again.status, 304);
      }
      assert.deepEqual(Buffer.from(await (await fetch(logoUrl)).arrayBuffer()), png(200, 50));
    });

    await t.test("a font may also be TTF or OTF", async () => {
      const kinds = [
        ["\0\x01\0\0", "ttf", "font/ttf", "truetype"],
        ["OTTO", "otf", "font/otf", "opentype"],
      ] as const;
      for (const [signature, ending, type, format] of kinds) {
        assert.equal((await upload(server, "instance/policy/label/font", openTypeFont(signature))).status, 200, ending);
        await server.rest("POST", "/admin/v1/policies/label/_activate", { body: {} });
        const { fontUrl } = (await server.rest("GET", "/admin/v1/policies/label")).body.policy;
        assert.ok(fontUrl.endsWith(`.${ending}`), fontUrl);
        assert.equal((await fetch(fontUrl)).headers.get("content-type"), type);
        const page = await (await fetch(`${server.origin}/ui/login`)).text();
        const [, sheet = ""] = /href="(\/branding\/[\w-]{22}\.css[^"]*)"/.exec(page) ?? [];
        const css = await (await fetch(server.origin + sheet.replaceAll("&amp;", "&"))).text();
        assert.ok(css.includes(`${pathOf(fontUrl)}") format("${format}")`), css.slice(0, 200));
      }
      await server.rest("DELETE", "/admin/v1/policies/label/font");
      await server.rest("POST", "/admin/v1/policies/label/_activate", { body: {} });
    });

    await t.test("nothing else is found there, and nothing in another instance", async () => {
      const { logoUrl } = await policy(server, acme);
      const hash = pathOf(logoUrl).slice("/branding/".length, -4);
      for (const path of [
        `${hash}.svg`,
        `${"A".repeat(43)}.png`,
        "..%2f..%2fetc%2fpasswd",
        `${"A".repeat(22)}.css`,
        hash,
      ]) {
        const answer = await server.rest("GET", `/branding/${path}`, { token: null });
        assert.equal(answer.status, 404, path);
        assert.equal(answer.headers.get("cache-control"), "no-store");
      }
    });

    await t.test("callers who may read the settings read the files, including of the draft", async () => {
      assert.equal((await upload(server, "org/policy/label/logo", png(9, 9, 1), to)).status, 200);
      const read = (path: string, token: string | null = server.ownerToken, organizationId = acme) =>
        fetch(`${server.origin}/assets/v1/org/policy/label/${path}`, {
          headers: { "x-service-orgid": organizationId, ...(token !== null && { authorization: `Bearer ${token}` }) },
        });
      assert.deepEqual(Buffer.from(await (await read("logo/_preview")).arrayBuffer()), png(9, 9, 1));
      const active = await read("logo");
      assert.deepEqual(Buffer.from(await active.arrayBuffer()), png(200, 50));
      assert.equal(active.headers.get("cache-control"), "private, no-store");
      assert.equal((await read("logo", null)).status, 401);
      assert.equal((await read("logo", server.ownerToken, other)).status, 404);
      await upload(server, "org/policy/label/logo", png(200, 50), to);
    });

    await t.test("only callers who may change the settings upload files", async () => {
      const person = await addPerson(server, { username: "ordinary", organizationId: acme });
      const owner = await addPerson(server, { username: "owner", organizationId: other });
      await appoint(server, owner, { organizationId: other }, ["ORG_OWNER"]);
      const [{ token }, { token: ownerToken }] = [await sessionOf(server, person), await sessionOf(server, owner)];
      const before = JSON.stringify(await policy(server, acme, "/_preview"));
      const logo = "org/policy/label/logo";
      assert.equal((await upload(server, logo, png(7, 7), { ...to, token: null })).status, 401);
      assert.equal((await upload(server, logo, png(7, 7), { ...to, token })).status, 403);
      assert.equal((await upload(server, logo, png(7, 7), { ...to, token: ownerToken })).status, 403);
      assert.equal((await upload(server, "instance/policy/label/logo", png(7, 7), { token: ownerToken })).status, 403);
      assert.equal(JSON.stringify(await policy(server, acme, "/_preview")), before);
    });

    await t.test("bytes that are not what they should be are refused, whatever they are called", async () => {
      const large = Buffer.concat([png(9, 9), Buffer.alloc(512 * 1024)]);
      const rows: readonly [string, string, Buffer, string][] = [
        ["a page", "logo", Buffer.from("<!doctype html><title>x</title>"), "branding.picture_invalid"],
        ["a GIF", "logo", Buffer.from("GIF89a\u0001\u0000\u0001\u0000".padEnd(60, "x")), "branding.picture_invalid"],
        ["half a PNG", "logo", png(9, 9).subarray(0, 20), "branding.picture_invalid"],
        [
          "a JPEG without a frame",
          "logo",
          Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0, 0, 0, 0, 0]),
          "branding.picture_invalid",
        ],
        ["a WebP that is longer than it is", "logo", webp(9, 9).fill(0xff, 4, 8), "branding.picture_invalid"],
        ["a drawing with a script", "icon", svg("<script>1</script>"), "branding.picture_invalid"],
        ["a drawing with a handler", "icon", svg('<g ONLOAD = "x"/>'), "branding.picture_invalid"],
        ["a drawing with HTML", "icon", svg("<foreignObject/>"), "branding.picture_invalid"],
        [
          "a drawing with entities",
          "icon",
          Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg></svg>'),
          "branding.picture_invalid",
        ],
        ["too many pixels", "logo", png(4097, 1), "branding.picture_too_wide"],
        ["no pixels", "logo", png(0, 9), "branding.picture_too_wide"],
        ["too many pixels in a JPEG", "logo", jpeg(65535, 65535), "branding.picture_too_wide"],
        ["too large", "logo", large, "branding.file_too_large"],
        ["a picture as a font", "font", png(9, 9), "branding.font_invalid"],
        ["a font as a picture", "logo", font(), "branding.picture_invalid"],
        ["a font that is shorter than it says", "font", font().subarray(0, 60), "branding.font_invalid"],
        ["a font that unfolds", "font", font().fill(0xff, 16, 20), "branding.font_invalid"],
        ["tables beyond the end", "font", openTypeFont("OTTO").subarray(0, 60), "branding.font_invalid"],
        ["no table", "font", openTypeFont("OTTO").fill(0, 4, 6), "branding.font_invalid"],
        ["a table over its record", "font", openTypeFont("OTTO").fill(0, 20, 24), "branding.font_invalid"],
        ["a font that is too large", "font", font(512 * 1024 + 1), "branding.file_too_large"],
      ];
      const before = await fileCount(server);
      for (const [what, slot, bytes, id] of rows) {
        assert.deepEqual(await upload(server, `org/policy/label/${slot}`, bytes, to), { status: 400, id }, what);
      }
      const elsewhere = await upload(server, "org/policy/label/logo", png(9, 9), { ...to, field: "other" });
      assert.deepEqual(elsewhere, { status: 400, id: "request.file_missing" });
      const raw = await server.rest("POST", "/assets/v1/org/policy/label/logo", { ...context(acme), body: "{}" });
      assert.equal(raw.body.details[0].id, "request.file_missing");
      const broken = await server.rest("POST", "/assets/v1/org/policy/label/logo", {
        headers: { "x-service-orgid": acme, "content-type": "multipart/form-data; boundary=x" },
        body: "--y",
      });
      assert.equal(broken.body.details[0].id, "request.malformed_body");
      const huge = await upload(server, "org/policy/label/logo", Buffer.alloc(600 * 1024), to);
      assert.equal(huge.status, 413);
      assert.equal(await fileCount(server), before);
    });

    await t.test("a file that nothing names is deleted", async () => {
      const { logoUrl } = await policy(server, acme);
      const removed = await server.rest("DELETE", `${label}/logo`, context(acme));
      assert.equal(removed.status, 200, JSON.stringify(removed.body));
      assert.equal((await fetch(logoUrl)).status, 200, "it still holds");
      const twice = await server.rest("DELETE", `${label}/logo`, context(acme));
      assert.deepEqual([twice.status, twice.body.details[0].id], [404, "branding.file_not_found"]);
      await server.rest("POST", `${label}/_activate`, { ...context(acme), body: {} });
      assert.equal((await policy(server, acme)).logoUrl, "");
      assert.equal((await fetch(logoUrl)).status, 404);
      assert.equal(await fileCount(server), 4);
    });

    await t.test("an organization begins with the look of its instance, and keeps its files", async () => {
      assert.equal((await upload(server, "instance/policy/label/logo", png(50, 50))).status, 200);
      await server.rest("POST", "/admin/v1/policies/label/_activate", { body: {} });
      const { logoUrl } = await policy(server, other);
      assert.match(logoUrl, /\.png$/);
      assert.equal((await server.rest("POST", label, { ...context(other), body: colours })).status, 200);
      assert.equal((await server.rest("DELETE", "/admin/v1/policies/label/logo")).status, 200);
      await server.rest("POST", "/admin/v1/policies/label/_activate", { body: {} });
      assert.equal((await policy(server, other)).logoUrl, logoUrl);
      assert.equal((await fetch(logoUrl)).status, 200);
      // What the instance prepares its organizations do not see.
      await upload(server, "instance/policy/label/logo", png(51, 51));
      const third = await addOrganization(server, "Third");
      assert.equal((await policy(server, third, "/_preview")).logoUrl, "");
      await server.rest("POST", label, { ...context(third), body: colours });
      assert.equal((await policy(server, third, "/_preview")).logoUrl, "");
    });

    await t.test("files go with the look, and with the organization", async () => {
      const before = await fileCount(server);
      assert.equal((await server.rest("DELETE", label, context(other))).status, 200);
      assert.equal(await fileCount(server), before - 1);
      const deleted = await server.connect("service.org.v2.OrganizationService/DeleteOrganization", {
        organizationId: acme,
      });
      assert.equal(deleted.status, 200);
      assert.equal(await fileCount(server), before - 5);
    });
  });
});
