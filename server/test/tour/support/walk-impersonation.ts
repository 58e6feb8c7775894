import assert from "node:assert/strict";
import { isQuestion, openRequest } from "../../impersonation/support.ts";
import { appoint, sessionOf } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { adoptSession } from "../../support/sign-in/adopt-session.ts";
import type { Tour } from "./tour.ts";

/** Signs an administrator in to an application as a user, with a reason that anyone might write. */
export async function walkImpersonation(tour: Tour): Promise<void> {
  const { server, say } = tour;
  const [admin, user] = [await tour.somebody("impersonator"), await tour.somebody("impersonated")];
  await appoint(server, admin, { instance: true }, ["IAM_OWNER_VIEWER", "IAM_END_USER_IMPERSONATOR"]);
  await changeSettings(server, "security", { enableImpersonation: true });
  const { sessionId, token } = await sessionOf(server, admin);
  const browser = tour.browser();
  const [name = "", value = ""] = (await adoptSession(server, sessionId)).cookie.split("=");
  browser.cookies.set(name, value);
  const begun = await server.connect(
    "service.impersonation.v2.ImpersonationService/CreateImpersonation",
    { userId: user.userId, applicationId: server.client.applicationId, reason: say("reason") },
    { token },
  );
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  const { page } = await openRequest(server.client, browser);
  assert.ok(isQuestion(page), page.html);
  await browser.submit(page, { decision: "allow" });
  const open = await browser.open(begun.body.path);
  const ended = await browser.submit(open, { decision: "end" });
  assert.match(ended.html, /This impersonation has ended/);
  await changeSettings(server, "security", { enableImpersonation: false });
}
