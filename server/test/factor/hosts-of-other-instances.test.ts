import assert from "node:assert/strict";
import { enginesInTurn } from "../support/databases/turns.ts";
import { addPerson } from "../support/people/people.ts";
import { createSecondInstance, secondHost, systemUser } from "../support/people/system-user.ts";
import { startServer } from "../support/servers/server.ts";
import { trustHost } from "../support/servers/trust-host.ts";
import { refusalOf } from "./support.ts";

enginesInTurn((engine, test) => {
  test("a trusted host that reaches another instance is no relying party of this one", async (t) => {
    const { config, tokenFor } = systemUser(t);
    const server = await startServer(t, { engine, config });
    const { userId } = await addPerson(server, { username: "ada" });
    const register = (domain: string) => refusalOf(server, "RegisterPasskey", { userId, domain });
    await trustHost(server, secondHost);
    await trustHost(server, "login.example");
    assert.equal(await register(secondHost), "done", "it reaches none yet");
    await createSecondInstance(server, tokenFor(server));
    assert.equal(await register(secondHost), "factor.domain_foreign");
    assert.equal(await register("login.example"), "done");
    assert.equal(await register("localhost"), "done");
  });
});
