import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf, answerJson, verified } from "../action/support/actions.ts";
import { scriptsOf } from "../script/support/scripts.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { decodeResponse, nodeSaml, pathOf, postedBy, register, signInAt, startNow, statusesOf } from "./support.ts";

const basic = "urn:oasis:names:tc:SAML:2.0:attrname-format:basic";

eachServer((start) => {
  test("targets of presamlresponse add attributes to a SAML response, and replace none", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const receiver = await startReceiver(t);
    const actions = actionsOf(server);
    const set = async (options: Parameters<typeof actions.createTarget>[1] = {}) => {
      const target = await actions.createTarget(receiver.origin, options);
      await actions.set({ function: { name: "presamlresponse" } }, [target]);
      return target;
    };
    const { entityId } = await register(server);
    const sp = await nodeSaml(server, entityId);
    const { browser } = await signInAt(server, await sp.getAuthorizeUrlAsync("", undefined, {}), ada);
    /** What the service provider is told, and the attribute statement. */
    const answer = async () => {
      const page = await browser.open(pathOf(await sp.getAuthorizeUrlAsync("", undefined, {})));
      const { fields } = postedBy(page);
      const xml = decodeResponse(fields);
      const profile =
        statusesOf(xml)[0] === "Success" ? (await sp.validatePostResponseAsync(fields)).profile : undefined;
      return { xml, profile, statuses: statusesOf(xml) };
    };

    await t.test("with what the target is told about the user and the application", async () => {
      const target = await set();
      const uri = "urn:oasis:names:tc:SAML:2.0:attrname-format:uri";
      answerJson(receiver, () => ({
        append_attribute: [
          { name: "Team", value: ["<red>", "blue"] },
          { name: "urn:oid:2.5.4.12", name_format: uri, value: "Countess" },
          { name: "team", value: "second" },
          ...["UserID", "userid", " USERID\t", "ＵserID"].map((name) => ({ name, value: "another user" })),
        ],
        set_user_metadata: [{ key: "level", value: Buffer.from("gold").toString("base64") }],
      }));
      const { profile, xml } = await answer();
      assert.deepEqual(profile?.["Team"], ["<red>", "blue"]);
      assert.equal(profile?.["urn:oid:2.5.4.12"], "Countess");
      assert.equal(profile?.["UserID"], ada.userId);
      assert.ok(!xml.includes("another user") && !xml.includes("second"));
      assert.match(xml, new RegExp(`Name="Team" NameFormat="${basic}"`));
      assert.match(xml, new RegExp(`Name="urn:oid:2.5.4.12" NameFormat="${uri}"`));
      const payload = verified(receiver.received.at(-1) as never, target.signingKey);
      assert.equal(payload.function, "function/presamlresponse");
      assert.equal(payload.user.id, ada.userId);
      assert.equal(payload.userinfo.sub, ada.userId);
      assert.equal(payload.userinfo.email, "ada@mail.example");
      assert.deepEqual(payload.user_grants, []);
      assert.deepEqual(payload.application, { entity_id: entityId });
      assert.ok(!receiver.received.some(({ body }) => body.includes(ada.password)));
      const { body } = await server.connect("service.user.v2.UserService/ListUserMetadata", { userId: ada.userId });
      assert.equal(body.metadata[0].key, "level");
    });

    await t.test("an attribute of a script comes first", async () => {
      const script = `function rank(ctx, api) { api.v1.attributes.setCustomAttribute("Rank", "", "by script"); }`;
      await scriptsOf(server).run(["4", "6"], "rank", script);
      answerJson(receiver, () => ({
        append_attribute: [
          { name: "rank", value: "by target" },
          { name: "Unit", value: "7" },
        ],
      }));
      const { profile, xml } = await answer();
      assert.deepEqual([profile?.["Rank"], profile?.["Unit"]], ["by script", "7"]);
      assert.ok(!xml.includes("by target"));
    });

    await t.test("a target that refuses, fails or is not understood ends in an error, if it interrupts", async () => {
      answerJson(receiver, () => ({ forwardedStatusCode: 403, forwardedErrorMessage: "not today" }));
      assert.deepEqual((await answer()).statuses, ["Responder", "RequestDenied"]);
      const wrong: readonly object[] = [
        { append_attribute: { name: "Team", value: "red" } },
        { append_attribute: [{ name: "", value: "red" }] },
        { append_attribute: [{ name: "Team", value: [7] }] },
        { append_attribute: [{ name: "Team", name_format: 7, value: "red" }] },
        { append_attribute: [{ name: "Team", value: "x".repeat(8_192) }] },
        { append_attribute: Array.from({ length: 101 }, (_, index) => ({ name: `a${index}`, value: "x" })) },
      ];
      for (const given of wrong) {
        answerJson(receiver, () => given);
        const { statuses, xml } = await answer();
        assert.equal(statuses[0], "Responder", JSON.stringify(given).slice(0, 100));
        assert.ok(!xml.includes("AttributeStatement"));
      }
      await set({ interruptOnError: false });
      const { profile } = await answer();
      assert.equal(profile?.["UserID"], ada.userId);
      assert.equal(profile?.["a1"], undefined);
    });
  });
});
