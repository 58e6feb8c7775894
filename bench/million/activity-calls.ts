import { type ConsoleCall, lastOf, page, service } from "./console-call.ts";
import { type Amounts, idAt, type Made } from "./instance.ts";

/** The event log. */
export function activityCalls({ users }: Amounts): ConsoleCall[] {
  const events = (name: string, body: object): ConsoleCall => ({
    name: `activity: ${name}`,
    method: `${service.admin}/ListEvents`,
    body: { limit: 50, ...body },
  });
  const small = { resourceOwner: idAt("organization", 7) };
  const ofType = { eventTypes: ["user.password.changed"] };
  const rare = { eventTypes: ["org.domain.removed"] };
  const userId = idAt("user", Math.floor(users / 8));
  // Those of the first users, who edited what they did.
  const who = { editorUserId: idAt("user", 7) };
  const noon = new Date(Date.UTC(2026, 0, 1) + users / 2).toISOString();
  const until = { range: { until: noon } };
  return [
    events("newest", {}),
    events("of a day", { range: { since: new Date(Date.now() - 86_400_000).toISOString() } }),
    events("older", until),
    events("of a type", ofType),
    events("of a type that is rare", rare),
    events("of a kind", { aggregateTypes: ["session"] }),
    events("of a kind, older", { aggregateTypes: ["session"], ...until }),
    events("of a record", { aggregateId: userId }),
    events("by an editor", who),
    events("by an editor, of a type", { ...who, ...ofType }),
    events("by an editor, of a kind", { ...who, aggregateTypes: ["session"] }),
    events("of an organization", small),
    events("of an organization, of a type", { ...small, ...ofType }),
    events("of an organization, of a rare type", { ...small, ...rare }),
    events("of an organization, of a kind", { ...small, aggregateTypes: ["session"] }),
    events("of an organization, by an editor", { ...small, ...who }),
    events("of an organization with none, of a type", { resourceOwner: "1", ...ofType }),
    {
      name: "activity: of an organization, for its administrators",
      method: `${service.management}/ListOrgChanges`,
      body: { query: { limit: 50 } },
      organizationId: idAt("organization", 0),
    },
    events("before a change", {
      aggregateTypes: ["user"],
      aggregateId: userId,
      eventTypes: ["user.password.changed", "user.created"],
      limit: 200,
    }),
  ];
}

/** Attempts to sign in. */
export function attemptCalls({ applications, attempts, users }: Amounts): ConsoleCall[] {
  const list = (name: string, filters: object[], at = 0): ConsoleCall => ({
    name: `sign-ins: ${name}`,
    method: `${service.attempts}/ListSignInAttempts`,
    body: { pagination: page(at), filters },
    isOfOwners: true,
  });
  const since = (days: number): object => ({
    startDateFilter: {
      timestamp: new Date(Date.now() - days * 86_400_000).toISOString(),
      method: "TIMESTAMP_FILTER_METHOD_AFTER_OR_EQUALS",
    },
  });
  const result = (name: string): object => ({ resultFilter: { result: `SIGN_IN_RESULT_${name}` } });
  const small = { organizationIdFilter: { id: idAt("organization", 7) } };
  const large = { organizationIdFilter: { id: idAt("organization", 0) } };
  const client = { clientIdFilter: { clientId: idAt("application", applications - 1) } };
  return [
    list("first page", []),
    list("last page", [], lastOf(attempts)),
    list("failed", [result("FAILED")]),
    list("signed in", [result("SIGNED_IN")]),
    list("with failures", [{ hasFailedFilter: { hasFailed: true } }]),
    list("of a day", [since(1)]),
    list("of 30 days", [since(30)]),
    list("failed, of 30 days", [since(30), result("FAILED")]),
    list("of an application", [client]),
    list("of an application, failed", [client, result("FAILED")]),
    list("of an application with none", [{ clientIdFilter: { clientId: "none" } }]),
    list("of a user", [{ userIdFilter: { id: idAt("user", Math.floor(users / 4)) } }]),
    list("of a reference", [{ referenceFilter: { reference: "reference7" } }]),
    list("of a small organization", [small]),
    list("of a small organization, failed", [small, result("FAILED")]),
    list("of a large organization", [large]),
    list("of a large organization, failed", [large, result("FAILED")]),
    {
      name: "sign-in",
      method: `${service.attempts}/GetSignInAttempt`,
      body: { id: idAt("session", Math.floor(attempts / 2)) },
    },
  ];
}

/** Jobs and deliveries. */
export function otherCalls({ targetId }: Made, { users }: Amounts): ConsoleCall[] {
  const jobId = idAt("other", 0);
  const results = (name: string, more: object, at = 0): ConsoleCall => ({
    name: `job: ${name}`,
    method: `${service.jobs}/ListJobResults`,
    body: { id: jobId, pagination: page(at, { asc: true }), ...more },
  });
  const deliveries = (name: string, more: object, at = 0): ConsoleCall => ({
    name: `target: deliveries, ${name}`,
    method: `${service.actions}/ListDeliveries`,
    body: { targetId, pagination: page(at), ...more },
  });
  return [
    { name: "jobs: first page", method: `${service.jobs}/ListJobs`, body: { pagination: page(0) } },
    { name: "jobs: last page", method: `${service.jobs}/ListJobs`, body: { pagination: page(lastOf(2000)) } },
    { name: "job", method: `${service.jobs}/GetJob`, body: { id: jobId } },
    results("results", {}),
    results("results, last page", {}, lastOf(users / 10)),
    results("results that failed", { outcome: "JOB_OUTCOME_FAILED" }),
    deliveries("first page", {}),
    deliveries("last page", {}, lastOf(users / 10)),
    deliveries("failed", { state: "DELIVERY_STATE_FAILED" }),
  ];
}
