import assert from "node:assert/strict";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { enter, signedIn } from "./support/sign-in.ts";

serversInTurn((start, test) => {
  test("the organization that an address names sends no user of others to its pages (L2)", async (t) => {
    const server = await start(t);
    const named = await addOrganization(server, "Named");
    await changeSettings(server, "login", { defaultRedirectUri: "https://named.example/" }, named);
    const vera = await addPerson(server, { username: "vera" });
    const member = await addPerson(server, { username: "member", organizationId: named });
    const address = `/ui/login?organization=${named}`;
    const led = async (person: typeof vera, at = address) => {
      const browser = new TestBrowser(server);
      return (await enter({ browser, page: await browser.open(at) }, person)).address;
    };
    assert.match(await led(vera), /^\/ui\/login\/signed-in/);
    for (const at of [address, "/ui/login"]) assert.equal(await led(member, at), "https://named.example/");
    const browser = await signedIn(server, vera);
    assert.doesNotMatch((await browser.open(address)).address, /named\.example/, "nor a user who is signed in");
    const home = "https://home.example/";
    await changeSettings(server, "login", { defaultRedirectUri: home }, vera.organizationId);
    for (const at of [address, "/ui/login"]) assert.equal(await led(vera, at), home);
  });
});
