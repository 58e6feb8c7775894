import assert from "node:assert/strict";
import { startAttempt } from "../../identity-provider/attempts.ts";
import type { Tour } from "./tour.ts";

/** The session checks of a user who came from an identity provider to a custom login. */
export interface ProvenElsewhere {
  readonly idpIntentId: string;
  readonly idpIntentToken: string;
}

let count = 0;

/** Links an account at the provider, goes there and comes back. The token belongs in the application's address. */
export async function proveElsewhere(tour: Tour, userId: string): Promise<ProvenElsewhere> {
  const { server, provider, idpId, say } = tour;
  const sub = `elsewhere-${++count}`;
  const linked = await tour.api.rest("POST", `/v2/users/${userId}/links`, {
    body: { idpLink: { idpId, userId: sub, userName: say("user") } },
  });
  assert.equal(linked.status, 200, linked.exchange.body);
  provider.user = { sub, email: "elsewhere@provider.example", name: say("Name"), preferred_username: say("user") };
  const { pathname, search } = provider.signIn(await startAttempt(server, idpId));
  const answer = await tour.browser().send(pathname + search);
  const { origin, searchParams } = new URL(answer.headers.get("location") ?? "", server.origin);
  assert.equal(origin, "https://login.example");
  const idpIntentToken = tour.plant("intent token", searchParams.get("token") ?? "");
  const idpIntentId = searchParams.get("id") ?? "";
  const told = await tour.api.rest("POST", `/v2/idp_intents/${idpIntentId}`, { body: { idpIntentToken } });
  assert.equal(told.status, 200, told.exchange.body);
  for (const secret of [told.body.idpInformation.oauth.accessToken, told.body.idpInformation.oauth.idToken]) {
    tour.plant("token of a provider", secret);
  }
  return { idpIntentId, idpIntentToken };
}
