import type { Event } from "@doorward/api/service/event/v1/event_pb";

/** Tells events apart: each has a sequence within its record. */
export const keyOf = ({ aggregate, sequence }: Event): string =>
  `${aggregate?.type?.type} ${aggregate?.id} ${sequence}`;

/** Returns the address of the page about one event. */
export const addressOf = ({ aggregate, sequence }: Event): string =>
  `/activity/event?${new URLSearchParams({
    kind: aggregate?.type?.type ?? "",
    id: aggregate?.id ?? "",
    sequence: String(sequence),
  }).toString()}`;

/** Returns the address of the thing that an event is about; undefined when the console has no page for it. */
export function thingOf({ aggregate, payload }: Event): string | undefined {
  const id = aggregate?.id ?? "";
  const userId = textIn(payload, "userId");
  switch (aggregate?.type?.type) {
    case "user":
      return `/users/${id}`;
    case "session":
    case "token_family":
    case "consent":
      return userId && `/users/${userId}/sessions`;
    case "authorization":
      return userId && `/users/${userId}/roles`;
    case "membership":
      // The id is the level, the resource and the user.
      return `/administrators?user=${id.split("/").at(-1)}`;
    case "organization":
      return `/organizations/${id}`;
    case "project":
      return `/projects/${id}`;
    case "project_grant":
      return textIn(payload, "projectId") && `/projects/${textIn(payload, "projectId")}`;
    case "application":
      return `/applications/${id}`;
    case "group":
      return `/users/groups/${id}`;
    default:
      return undefined;
  }
}

/** Returns the id of the user whose account, session or role an event is about. */
export function userOf({ aggregate, payload }: Event): string | undefined {
  switch (aggregate?.type?.type) {
    case "user":
      return aggregate.id;
    case "membership":
      return aggregate.id.split("/").at(-1);
    default:
      return textIn(payload, "userId");
  }
}

/** Returns a text of what an event recorded. */
export function textIn(payload: Event["payload"], name: string): string | undefined {
  const value = payload?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
