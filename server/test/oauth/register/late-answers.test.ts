import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../../support/databases/databases.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { testCertificate } from "../../support/http/test-certificate.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import {
  makeRegistrar,
  minimal,
  register,
  registered,
  registrationPath,
  setRegistration,
} from "../../support/oidc/registration.ts";
import { addOwnedOrganization } from "../../support/people/owners.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";
import type { RestAnswer } from "../../support/servers/server.ts";

const users = "service.user.v2.UserService";
const permissions = "service.internal_permission.v2.InternalPermissionService";

eachEngine((_open, engine) => {
  test("what ends while the server of a sector identifier keeps its answer, ends the registration as well", async (t) => {
    const server = await startOidcServer(t, { engine, certificates: testCertificate.cert });
    const { organizationId, token } = await addOwnedOrganization(server, "bank");
    const sector = await startReceiver(t, { isSecure: true });
    const asked = { ...minimal, sector_identifier_uri: `${sector.origin}/list` };
    const answerAtOnce: typeof sector.answer = (_request, response) =>
      response.writeHead(200).end(JSON.stringify(minimal.redirect_uris));
    const ok = async (answer: Promise<RestAnswer>): Promise<void> => {
      const { status, body } = await answer;
      assert.equal(status, 200, JSON.stringify(body));
    };
    /** Does something while the list is asked for, and returns the answer to what asked for it. */
    const during = async (ask: () => Promise<RestAnswer>, end: () => Promise<void>) => {
      const isReached = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      sector.answer = (request, response) => {
        isReached.resolve();
        void goOn.promise.then(() => answerAtOnce(request, response));
      };
      const answer = ask();
      await isReached.promise;
      await end();
      goOn.resolve();
      const { status, body } = await answer;
      sector.answer = answerAtOnce;
      return [status, body.error];
    };
    const countRegistered = async (): Promise<number> =>
      (await recordedEvents(server)).filter(({ type }) => type === "registration.created").length;
    const takePosition = (userId: string) =>
      ok(server.connect(`${permissions}/DeleteAdministrator`, { userId, resource: { organizationId } }, { token }));

    const endings: Record<string, readonly [expected: unknown, end: (userId: string) => Promise<void>]> = {
      nothing: [[201, undefined], async () => {}],
      position: [[403, "insufficient_scope"], takePosition],
      token: [
        [401, "invalid_token"],
        async (userId) => {
          const filters = [{ userIdFilter: { id: userId } }];
          const { body } = await server.connect(`${users}/ListPersonalAccessTokens`, { filters }, { token });
          const tokenId = body.result[0].id;
          await ok(server.connect(`${users}/RemovePersonalAccessToken`, { userId, tokenId }, { token }));
        },
      ],
      account: [
        [401, "invalid_token"],
        (userId) => ok(server.connect(`${users}/DeactivateUser`, { userId }, { token })),
      ],
      setting: [[404, "invalid_request"], () => setRegistration(server, "off")],
    };
    for (const [what, [expected, end]] of Object.entries(endings)) {
      await setRegistration(server, "token");
      const registrar = await makeRegistrar(server, organizationId, `registrar-${what}`);
      const before = await countRegistered();
      const answer = await during(
        () => register(server, asked, registrar.token),
        () => end(registrar.userId),
      );
      assert.deepEqual(answer, expected, what);
      assert.equal(await countRegistered(), what === "nothing" ? before + 1 : before, what);
    }

    // A client that changes itself is asked in the same way.
    await setRegistration(server, "token");
    const registrar = await makeRegistrar(server, organizationId);
    const { client_id: clientId, ...made } = await registered(server, asked, registrar.token);
    let managing: string = made.registration_access_token;
    const change = async (): Promise<RestAnswer> => {
      const body = { client_id: clientId, ...asked, client_name: "Renamed" };
      const answer = await server.rest("PUT", `${registrationPath}/${clientId}`, { token: managing, body });
      managing = answer.body.registration_access_token ?? managing;
      return answer;
    };
    assert.deepEqual(await during(change, async () => {}), [200, undefined]);
    assert.deepEqual(await during(change, () => setRegistration(server, "off")), [404, "invalid_request"]);
    await setRegistration(server, "token");
    assert.deepEqual(await during(change, () => takePosition(registrar.userId)), [401, "invalid_token"]);

    // Strangers, when callers without the permission are no longer let in.
    await setRegistration(server, "open");
    const before = await countRegistered();
    const byStranger = () => register(server, asked, null);
    assert.deepEqual(await during(byStranger, () => setRegistration(server, "token")), [401, "invalid_token"]);
    await setRegistration(server, "open");
    assert.equal(await countRegistered(), before);
    assert.deepEqual(await during(byStranger, async () => {}), [201, undefined]);
    const count = sector.received.length;
    assert.equal((await register(server, asked, `dwp_${"x".repeat(43)}`)).status, 401);
    assert.equal(sector.received.length, count, "with a token that is none, no server is asked");
  });
});
