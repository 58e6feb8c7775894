import type { Notification, NotificationKind } from "./notification.ts";

const withCode = "user={{.UserID}}&code={{.Code}}";

// The hosted pages to which messages link. Text messages are short and contain only codes.
const pages: Readonly<Partial<Record<NotificationKind, string>>> = {
  email_verification: `/ui/login/verify-email?${withCode}`,
  initialization: `/ui/login/initialization?${withCode}`,
  invitation: `/ui/login/invitation?${withCode}`,
  password_reset: `/ui/login/password-reset?${withCode}`,
  passkey_registration: "/ui/login/passkey?user={{.UserID}}&id={{.CodeID}}&code={{.Code}}",
};

// Linked to by callers alone: text messages have no links by default.
const verifyPhonePath = "/ui/login/verify-phone";

const codePaths: ReadonlySet<string> = new Set([
  verifyPhonePath,
  ...Object.values(pages).map((page) => page.slice(0, page.indexOf("?"))),
]);

/** Whether the page at a path of ours takes a code and keeps it. */
export const takesCode = (path: string): boolean => codePaths.has(path);

/** Whether a path is that of a page or an endpoint of ours that may send a browser on. */
export const mayLeadOn = (path: string): boolean => /^\/(?:device|idps|oauth|oidc|ui)(?:\/|$)/.test(path);

/** Returns the default link of a message: the hosted page that takes its code. Undefined when there is none. */
export function hostedTemplate(
  origin: string,
  { kind, channel }: Pick<Notification, "kind" | "channel">,
): string | undefined {
  const page = channel === "email" ? pages[kind] : undefined;
  return page && origin + page;
}

/**
 * Returns the page to which a message without a code leads: where the user answers it. Undefined when there is none.
 */
export const answerPage = (origin: string, { kind }: Pick<Notification, "kind">): string | undefined =>
  kind === "appointment_offered" ? `${origin}/ui/account/appointments` : undefined;
