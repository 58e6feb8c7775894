import { lazy } from "../lazy.ts";

/** The used parts of `nodemailer`, loaded when the first mail is sent. */
export const loadLibrary = lazy(async () => {
  const [{ default: SMTPConnection }, { default: MailComposer }] = await Promise.all([
    import("nodemailer/lib/smtp-connection"),
    import("nodemailer/lib/mail-composer"),
  ]);
  return { SMTPConnection, MailComposer };
});

export type Library = Awaited<ReturnType<typeof loadLibrary>>;
