import {
  fillUrlTemplate,
  hostedTemplate,
  type Notification,
  type NotificationValues,
} from "../domain/notification/index.ts";

export interface LinkPlace {
  readonly loginName: string;
  /** Public origin of the instance. */
  readonly origin: string;
}

/** Where the button of a message leads: where whoever caused it said, else to our page that takes the code. Undefined when there is none. */
export function linkOf(
  notification: Pick<Notification, "kind" | "channel" | "userId" | "organizationId">,
  { urlTemplate, code = "", codeId = "" }: NotificationValues,
  { loginName, origin }: LinkPlace,
): string | undefined {
  const { userId, organizationId } = notification;
  // A message whose values are gone has nothing to bring to a page.
  const template = urlTemplate ?? (code === "" ? undefined : hostedTemplate(origin, notification));
  if (template === undefined) return undefined;
  const values = { UserID: userId, OrgID: organizationId, LoginName: loginName, Code: code, CodeID: codeId };
  return fillUrlTemplate(template, values);
}
