import { type NamedEvent, originalAggregateOf, originalNamesOf } from "./original-name.ts";

/** An event as clients of the interface know it. */
export interface OriginalForm extends NamedEvent {
  readonly aggregateType: string;
}

type Payload = Readonly<Record<string, unknown>>;

/** Fields of payloads with another name in the interface, by the beginning of the type; the longest counts. */
const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "authorization.": { projectGrantId: "grantId" },
  "instance.default_organization.": { organizationId: "orgId" },
  "project.": {
    isRoleAssertionOn: "projectRoleAssertion",
    isAuthorizationRequired: "projectRoleCheck",
    isProjectAccessRequired: "hasProjectCheck",
    privateLabeling: "privateLabelingSetting",
  },
  "project.role.": { roleKey: "key", roleGroup: "group" },
  "project_grant.": { grantedOrganizationId: "grantedOrgId" },
  "session.": { userId: "userID" },
  "user.created": { username: "userName", givenName: "firstName", familyName: "lastName" },
  "user.machine.": { accessTokenFormat: "accessTokenType" },
  "user.password.set": { isChangeRequired: "changeRequired" },
  "user.profile.": { givenName: "firstName", familyName: "lastName" },
  "user.username.": { username: "userName" },
};

/** Returns an event with the name, the kind of record and the fields of its payload that the interface has. */
export function originalForm(event: NamedEvent, name = originalNamesOf(event)[0] ?? event.type): OriginalForm {
  const { aggregateId, payload } = withRecord(event);
  return { type: name, aggregateType: originalAggregateOf(name), aggregateId, payload: rename(event.type, payload) };
}

function rename(type: string, payload: Payload): Payload {
  const beginnings = Object.keys(fields).filter((each) => type.startsWith(each));
  const names = fields[beginnings.toSorted((left, right) => right.length - left.length)[0] ?? ""] ?? {};
  return Object.fromEntries(Object.entries(payload).map(([field, value]) => [names[field] ?? field, value]));
}

/**
 * Applications, grants and positions of administrators have events of their own here; in the interface they are events
 * of the project, the organization or the instance, and the payload names them.
 */
function withRecord({ type, aggregateId, payload }: NamedEvent): { aggregateId: string; payload: Payload } {
  const [area] = type.split(".", 1);
  const { projectId, ...others } = payload;
  const record = typeof projectId === "string" ? projectId : aggregateId;
  if (area === "application") return { aggregateId: record, payload: { appId: aggregateId, ...others } };
  if (area === "project_grant") return { aggregateId: record, payload: { grantId: aggregateId, ...others } };
  if (area !== "membership") return { aggregateId, payload };
  const [, resourceId = aggregateId, userId] = aggregateId.split("/");
  return { aggregateId: resourceId, payload: { userId, ...payload } };
}
