import {
  answerPage,
  fillUrlTemplate,
  hostedTemplate,
  type Notification,
  type NotificationValues,
} from "../domain/notification/index.ts";

export interface LinkContext {
  readonly loginName: string;
  /** Public origin of the instance. */
  readonly origin: string;
}

/**
 * Returns the address of a message's button: the one that the caller gave, else our page for the code or the answer.
 * Undefined when there is none.
 */
export function linkOf(
  notification: Pick<Notification, "kind" | "channel" | "userId" | "organizationId">,
  { urlTemplate, code = "", codeId = "" }: NotificationValues,
  { loginName, origin }: LinkContext,
): string | undefined {
  const { userId, organizationId } = notification;
  // A message without values has no code for a page.
  const template =
    urlTemplate ?? (code === "" ? answerPage(origin, notification) : hostedTemplate(origin, notification));
  if (template === undefined) return undefined;
  const values = { UserID: userId, OrgID: organizationId, LoginName: loginName, Code: code, CodeID: codeId };
  return fillUrlTemplate(template, values);
}
