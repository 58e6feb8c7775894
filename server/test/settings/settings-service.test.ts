import assert from "node:assert/strict";
import { test } from "node:test";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const settings = "service.settings.v2.SettingsService";

eachServer((start) => {
  test("settings of the login, and of single organizations", async (t) => {
    const server = await start(t);
    const organizationId = await defaultOrganization(server);
    const other = await addOrganization(server, "Other");
    const person = await addPerson(server, { username: "olga", organizationId: other });
    await appoint(server, person, { organizationId: other }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, person);
    const call = (method: string, body: object, as?: string) =>
      server.connect(`${settings}/${method}`, body, as === undefined ? {} : { token: as });
    const slug = ({ body }: { body: { details?: { debug?: { id: string } }[] } }) => body.details?.[0]?.debug?.id;

    await t.test("branding and links are the built-in ones, the instance's, or an organization's", async () => {
      const branding = async (query = "") => (await server.rest("GET", `/v2/settings/branding${query}`)).body.settings;
      const builtIn = await branding();
      assert.match(builtIn.lightTheme.primaryColor, /^#[0-9a-f]{6}$/);
      assert.equal(builtIn.resourceOwnerType, "RESOURCE_OWNER_TYPE_INSTANCE");
      const label = (path: string) => `/management/v1/policies/label${path}`;
      const context = { token };
      const colors = { primaryColor: "#112233", primaryColorDark: "#445566", themeMode: "THEME_MODE_DARK" };
      const wrong = await server.rest("POST", label(""), { ...context, body: { primaryColor: "red" } });
      assert.equal(wrong.body.details[0].id, "settings.branding.color_invalid");
      assert.equal((await server.rest("POST", label(""), { ...context, body: colors })).status, 200);
      assert.equal((await server.rest("POST", label(""), { ...context, body: colors })).status, 409);
      const draft = (await server.rest("GET", label("/_preview"), context)).body.policy;
      assert.deepEqual([draft.primaryColor, draft.themeMode], ["#112233", "THEME_MODE_DARK"]);
      const query = `?ctx.orgId=${other}`;
      assert.equal((await branding(query)).lightTheme.primaryColor, builtIn.lightTheme.primaryColor);
      assert.equal((await server.rest("POST", label("/_activate"), { ...context, body: {} })).status, 200);
      const active = await branding(query);
      assert.deepEqual(
        [active.lightTheme.primaryColor, active.darkTheme.primaryColor, active.themeMode, active.resourceOwnerType],
        ["#112233", "#445566", "THEME_MODE_DARK", "RESOURCE_OWNER_TYPE_ORG"],
      );
      const mine = await server.rest("GET", "/auth/v1/policies/label", context);
      assert.equal(mine.body.policy.primaryColor, "#112233");
      assert.equal((await server.rest("DELETE", label(""), context)).status, 200);
      assert.deepEqual(await branding(query), builtIn);
    });

    await t.test("legal links are inherited, and lead to web pages only", async () => {
      const legal = async (query = "") =>
        (await server.rest("GET", `/v2/settings/legal_support${query}`)).body.settings;
      const put = (path: string, body: object, as?: string) =>
        server.rest("PUT", path, { body, ...(as !== undefined && { token: as }) });
      const links = { tosLink: "https://example.com/{{.Lang}}/tos", supportEmail: "help@example.com" };
      assert.equal((await put("/admin/v1/policies/privacy", links)).status, 200);
      assert.equal((await legal(`?ctx.orgId=${other}`)).tosLink, links.tosLink);
      const script = await put("/management/v1/policies/privacy", { privacyLink: "javascript:alert(1)" }, token);
      assert.equal(script.body.details[0].id, "settings.link_invalid");
      const own = { privacyLink: "https://other.example/privacy" };
      assert.equal((await put("/management/v1/policies/privacy", own, token)).status, 200);
      const found = await legal(`?ctx.orgId=${other}`);
      assert.deepEqual([found.privacyPolicyLink, found.tosLink], [own.privacyLink, ""]);
      const mine = await server.rest("GET", "/auth/v1/policies/privacy", { token });
      assert.equal(mine.body.policy.privacyLink, own.privacyLink);
      assert.equal((await put("/admin/v1/policies/privacy", links, token)).status, 403);
    });

    await t.test("links that pages show, which only administrators of the instance set", async () => {
      const links = [{ type: "LINK_TYPE_HELP", url: "https://help.example", target: "LINK_TARGET_BLANK" }];
      const set = (ctx: object | undefined, given: object[], as?: string) =>
        call("SetLinkSettings", { ...(ctx && { ctx }), links: given }, as);
      assert.equal(slug(await set(undefined, [{ url: "javascript:alert(1)" }])), "settings.link_invalid");
      assert.equal((await set(undefined, links)).status, 200);
      const get = async (ctx: object) => (await call("GetLinkSettings", { ctx })).body;
      const inherited = await get({ orgId: other });
      assert.deepEqual([inherited.settings.links, inherited.source], [links, "SOURCE_INSTANCE"]);
      const mail = [{ type: "LINK_TYPE_SUPPORT", url: "mailto:help@other.example" }];
      assert.equal((await set({ orgId: other }, mail)).status, 200);
      assert.equal((await get({ orgId: other })).source, "SOURCE_ORGANIZATION");
      const effective = async (body: object) => (await call("GetEffectiveSettings", body)).body.links?.links;
      assert.deepEqual(await effective({ organizationId: other }), mail);
      assert.deepEqual(await effective({}), links);
      const project = await server.connect("service.project.v2.ProjectService/CreateProject", {
        organizationId: other,
        name: "Shop",
      });
      assert.deepEqual(await effective({ projectId: project.body.projectId }), mail);
      assert.equal(slug(await call("GetEffectiveSettings", { projectId: "404" })), "project.not_found");
      assert.equal(slug(await call("GetEffectiveSettings", { applicationId: "404" })), "application.not_found");
      const reset = await call("ResetLinkSettings", { ctx: { orgId: other } });
      assert.deepEqual(reset.body.settings.links, links);
      assert.deepEqual((await call("ResetLinkSettings", {})).body.settings, {});
      assert.equal(slug(await set({ orgId: "404" }, links)), "organization.not_found");
      assert.equal((await set({ orgId: other }, links, token)).status, 403);
      assert.equal((await call("GetLinkSettings", {}, token)).status, 403);
    });

    await t.test("what is decided about single organizations", async () => {
      const list = async (filters: object[] = []) => {
        const { body } = await call("ListOrganizationSettings", { filters, pagination: { asc: true } });
        return (body.organizationSettings ?? []).map(
          ({ organizationId: id, organizationScopedUsernames = false }: Record<string, unknown>) => [
            id,
            organizationScopedUsernames,
          ],
        );
      };
      const set = (id: string, organizationScopedUsernames?: boolean) =>
        call("SetOrganizationSettings", { organizationId: id, organizationScopedUsernames });
      assert.deepEqual(await list(), []);
      const first = await set(other, true);
      assert.equal(first.status, 200, JSON.stringify(first.body));
      assert.deepEqual((await set(other)).body, first.body);
      await set(organizationId, false);
      const scoped = { organizationScopedUsernamesFilter: { organizationScopedUsernames: true } };
      assert.deepEqual(await list([scoped]), [[other, true]]);
      assert.deepEqual(await list([{ inOrganizationIdsFilter: { ids: [organizationId] } }]), [[organizationId, false]]);
      assert.equal(slug(await set("404", true)), "organization.not_found");
      for (const method of ["SetOrganizationSettings", "DeleteOrganizationSettings", "ListOrganizationSettings"]) {
        const refused = await call(method, { ...(method.startsWith("List") ? {} : { organizationId: other }) }, token);
        assert.equal(refused.status, 403, method);
      }
      const gone = await server.rest("DELETE", "/v2/settings/organization", { body: { organizationId: other } });
      assert.ok(gone.body.deletionDate, JSON.stringify(gone.body));
      assert.deepEqual((await call("DeleteOrganizationSettings", { organizationId: other })).body, {});
      assert.deepEqual(await list(), [[organizationId, false]]);
    });

    await t.test("words of the login, of the levels over one another", async () => {
      const path = "/v2/settings/hosted_login_translation";
      const get = async (query: string) => (await server.rest("GET", `${path}?locale=de&${query}`)).body;
      const set = (body: object, as?: string) =>
        server.rest("PUT", path, { body: { locale: "de", ...body }, ...(as !== undefined && { token: as }) });
      const builtIn = await get("system=true");
      assert.match(builtIn.etag, /^[0-9a-f]{32}$/);
      assert.equal(typeof builtIn.translations.password.title, "string");
      assert.equal(builtIn.translations.fault, undefined);
      const ofInstance = { password: { title: "Kennwort" }, own: "Instanz" };
      const written = await set({ instance: true, translations: ofInstance });
      assert.equal(written.status, 200, JSON.stringify(written.body));
      assert.deepEqual((await set({ instance: true, translations: ofInstance })).body, written.body);
      await set({ organizationId: other, translations: { own: "Organisation" } });
      const merged = await get(`organizationId=${other}`);
      assert.deepEqual([merged.translations.own, merged.translations.password.title], ["Organisation", "Kennwort"]);
      assert.notEqual(merged.etag, builtIn.etag);
      const only = await get(`organizationId=${other}&ignoreInheritance=true`);
      assert.deepEqual(only.translations, { own: "Organisation" });
      assert.equal((await get("instance=true&ignoreInheritance=true")).etag, written.body.etag);
      for (const translations of [{ a: 1 }, { a: ["b"] }, { a: null }, { "": "x" }]) {
        assert.equal((await set({ instance: true, translations })).body.details[0].id, "settings.translation_invalid");
      }
      assert.equal((await set({ instance: true, locale: "not a tag", translations: {} })).status, 400);
      assert.equal((await set({ organizationId: "404", translations: { a: "b" } })).status, 404);
      assert.equal((await set({ instance: true, translations: {} }, token)).status, 403);
      await set({ instance: true, translations: {} });
      assert.deepEqual((await get("instance=true&ignoreInheritance=true")).translations, {});
    });

    await t.test("policies of the first generation change what they have words for", async () => {
      const complexity = "/management/v1/policies/password/complexity";
      const as = { token };
      const before = await server.rest("GET", complexity, as);
      assert.deepEqual([before.body.isDefault, before.body.policy.minLength], [true, 12]);
      const put = await server.rest("PUT", complexity, { ...as, body: { minLength: 14, hasNumber: true } });
      assert.equal(put.status, 200, JSON.stringify(put.body));
      const read = (await server.rest("GET", complexity, as)).body;
      assert.deepEqual([read.isDefault, read.policy.minLength, read.policy.hasNumber], [false, 14, true]);
      // Common passwords stay refused, although this generation knows nothing of it.
      const weak = await server.connect("service.user.v2.UserService/SetPassword", {
        userId: person.userId,
        newPassword: { password: "1234567890123456" },
      });
      assert.equal(slug(weak), "user.password_common");
      assert.equal((await server.rest("DELETE", complexity, as)).status, 200);
      assert.equal((await server.rest("GET", complexity, as)).body.isDefault, true);
      const factors = "/management/v1/policies/login/second_factors";
      const type = "SECOND_FACTOR_TYPE_OTP_EMAIL";
      assert.equal((await server.rest("POST", factors, { ...as, body: { type } })).status, 200);
      const listed = async () => (await server.rest("POST", `${factors}/_search`, { ...as, body: {} })).body.result;
      assert.ok((await listed()).includes(type));
      assert.equal((await server.rest("DELETE", `${factors}/${type}`, as)).status, 200);
      assert.ok(!(await listed()).includes(type));
      const lockout = { maxPasswordAttempts: 7, maxOtpAttempts: 3 };
      assert.equal((await server.rest("PUT", "/admin/v1/policies/password/lockout", { body: lockout })).status, 200);
      const inherited = (await server.rest("GET", "/management/v1/policies/lockout", as)).body;
      assert.deepEqual([inherited.policy.maxPasswordAttempts, inherited.isDefault], [7, true]);
      assert.equal((await server.rest("GET", "/management/v1/policies/domain", as)).body.policy.isDefault, true);
    });
  });
});
