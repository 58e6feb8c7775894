import { fillUrlTemplate, type Notification, type NotificationValues } from "../domain/notification/index.ts";

/** Where the button of a message leads: where whoever caused it said. Undefined when nobody did; then the code is what counts. */
export function linkOf(
  { userId, organizationId }: Pick<Notification, "userId" | "organizationId">,
  { urlTemplate, code = "" }: NotificationValues,
  loginName: string,
): string | undefined {
  if (urlTemplate === undefined) return undefined;
  return fillUrlTemplate(urlTemplate, { UserID: userId, OrgID: organizationId, LoginName: loginName, Code: code });
}
