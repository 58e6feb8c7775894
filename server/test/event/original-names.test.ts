import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  eventsNamed,
  eventTypes,
  originalAggregateOf,
  originalForm,
  originalNames,
  originalNamesOf,
  originalsOf,
} from "../../src/event/index.ts";

/** Every event of the interface: name → kind of record. */
const published = new Map(
  readFileSync(new URL("original-events.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" ").toReversed() as [string, string]),
);

/** Our events that the interface does not have: what happened has no counterpart there. */
const alone = [
  /^consent\./,
  /^instance\.(links_settings\.\w+|settings\.created|setup\.completed)$/,
  /^organization\.links_settings\./,
  /^job\./,
  /^logout_notice\.failed$/,
  /^membership\.(accepted|declined|offered)$/,
  /^notification\./,
  /^quota\.notification\.failed$/,
  /^registration\./,
  /^resource\./,
  /^saml_key\.(activated|deactivated|deleted|planned)$/,
  /^setup_link\./,
  /^sign_up\./,
  /^target\.delivery\.given_up$/,
  /^token_family\.(answer_repeated|exchanged)$/,
  /^user\.(otp_email|otp_sms|password|recovery_codes|totp)\.blocked$/,
  /^user\.(impersonation|impersonator)\.(ended|started)$/,
  /^user\.password_reset_check\.failed$/,
];

test("every name in the table is one of the interface, with its kind of record (Z8)", () => {
  assert.equal(published.size, 529);
  for (const name of originalNames) assert.equal(originalAggregateOf(name), published.get(name), name);
});

test("every type of event has a name in the interface, or is known to have none (Z8)", () => {
  const without = eventTypes.filter((type) => !originalsOf(type).every((name) => published.has(name)));
  const unknown = without.filter((type) => !alone.some((pattern) => pattern.test(type)));
  assert.deepEqual(unknown, [], "add these to event/original/, or above to those that the interface does not have");
  const unused = alone.filter((pattern) => !without.some((type) => pattern.test(type)));
  assert.deepEqual(unused, [], "exceptions that nothing needs");
  const covered = new Set(eventTypes.flatMap((type) => originalsOf(type)).filter((name) => published.has(name)));
  assert.ok(covered.size > 330, `${covered.size} of ${published.size}`);
});

test("a name finds the types that have it, and an event has each of its names", () => {
  for (const name of originalNames) {
    for (const { type, parts = [{}] } of eventsNamed(name)) {
      for (const { holds, within } of parts) {
        const payload = holds === undefined ? {} : JSON.parse(`{${holds}${holds.endsWith(":") ? "true" : ""}}`);
        const names = originalNamesOf({ type, aggregateId: `${within ?? ""}1/2`, payload });
        assert.ok(names.includes(name), `${type} as ${name}: ${names.join()}`);
      }
    }
  }
});

test("text in a payload does not make an event another one", () => {
  const payload = { kind: "human", username: 'x","kind":"machine"' };
  const event = { type: "user.created", aggregateId: "1", payload };
  assert.deepEqual(originalNamesOf(event), ["user.human.added", "user.added"]);
});

test("fields, records and kinds are those of the interface", () => {
  const application = originalForm({
    type: "application.created",
    aggregateId: "app",
    payload: { projectId: "project", name: "Shop", kind: "oidc", configuration: {} },
  });
  assert.deepEqual(application, {
    type: "project.application.added",
    aggregateType: "project",
    aggregateId: "project",
    payload: { appId: "app", name: "Shop", kind: "oidc", configuration: {} },
  });
  const member = originalForm({
    type: "membership.created",
    aggregateId: "organization/acme/ada",
    payload: { level: "organization", resourceId: "acme", userId: "ada", roles: ["ORG_OWNER"] },
  });
  assert.deepEqual([member.type, member.aggregateType, member.aggregateId], ["org.member.added", "org", "acme"]);
  const user = originalForm({
    type: "user.created",
    aggregateId: "1",
    payload: { kind: "human", username: "ada", givenName: "Ada", familyName: "Lovelace" },
  });
  assert.deepEqual(user.payload, { kind: "human", userName: "ada", firstName: "Ada", lastName: "Lovelace" });
  const grant = originalForm({ type: "authorization.created", aggregateId: "1", payload: { projectGrantId: "g" } });
  assert.deepEqual(
    [grant.type, grant.aggregateType, grant.payload],
    ["user.grant.added", "usergrant", { grantId: "g" }],
  );
});
