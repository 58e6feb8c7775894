import assert from "node:assert/strict";
import { keysAt } from "../factor/key-support.ts";
import { callUser, inboxOf } from "../factor/support.ts";
import { addStaff } from "../identity-provider/trusted.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

serversInTurn((start, test) => {
  test("what ends the code for a passkey also ends a registration that was begun with it", async (t) => {
    const server = await start(t);
    const acme = await addStaff(server, "acme");
    const keys = keysAt(server);
    const newPassword = { password: "a sentence that closes it all" };
    const ends: Readonly<Record<string, (user: Person) => Promise<unknown>>> = {
      nothing: async () => {},
      password: ({ userId, password }) =>
        callUser(server, "SetPassword", { userId, newPassword, currentPassword: password }),
      factor: ({ userId }) => keys.register(userId, createAuthenticator({ origin: server.origin }), "U2F"),
      lock: ({ userId }) => callUser(server, "LockUser", { userId }),
      address: ({ userId }) =>
        callUser(server, "SetEmail", { userId, email: "another@mail.example", isVerified: true }),
    };
    for (const [end, act] of Object.entries(ends)) {
      const user = await addPerson(server, { username: `begun-${end}`, organizationId: acme.organizationId });
      const { userId } = user;
      const asked = { token: acme.owner.token, body: { sendLink: {} } };
      await server.rest("POST", `/v2/users/${userId}/passkeys/registration_link`, asked);
      const text = JSON.stringify((await inboxOf(server, `begun-${end}@mail.example`))[0]);
      const [id, code] = ["id", "code"].map((name) => new RegExp(`[?&;]${name}=([\\w-]+)`).exec(text)?.[1]);
      const browser = new TestBrowser(server);
      const page = await browser.open(`/ui/login/passkey?user=${userId}&id=${id}&code=${code}`);
      const create = await browser.submit(page, { passkeys: "1" });
      const [, written = ""] = /data-passkey-options="([^"]*)"/.exec(create.html) ?? [];
      const device = createAuthenticator({ origin: server.origin });
      const made = device.create(JSON.parse(written.replaceAll("&quot;", '"').replaceAll("&amp;", "&")));
      server.clock.now += 60_000;
      await act(user);
      server.clock.now += 60_000;
      const done = await browser.submit(create, { credential: JSON.stringify(made), passkey_name: "Phone" });
      const { result = [] } = await callUser(server, "ListPasskeys", { userId });
      const ready = result.filter(({ state }: { readonly state: string }) => state === "AUTH_FACTOR_STATE_READY");
      assert.equal(ready.length, end === "nothing" ? 1 : 0, `${end}: ${done.address}`);
      if (end === "nothing") assert.match(done.address, /passkey\/done/);
    }
  });
});
