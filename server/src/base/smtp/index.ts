export { createMailer, type Mailer, type SendOptions } from "./create-mailer.ts";
export type { Mail, SmtpCredentials, SmtpServer } from "./mail.ts";
export { parseMailHost } from "./mail-host.ts";
export { describeReason, type ShownSmtpFailure, SmtpError } from "./smtp-error.ts";
