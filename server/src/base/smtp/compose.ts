import type { Library } from "./library.ts";
import type { Mail } from "./mail.ts";

/** Returns the bytes of a mail (RFC 5322), text and HTML as alternatives. */
export async function compose({ MailComposer }: Library, mail: Mail): Promise<Buffer> {
  const { sender, replyTo, recipient, subject, text, html } = mail;
  const composed = new MailComposer({
    from: sender,
    ...(replyTo !== "" && { replyTo: { name: "", address: replyTo } }),
    // Given as an object, so that an address is never parsed as a list of addresses.
    to: { name: "", address: recipient },
    subject,
    text,
    ...(html !== undefined && { html }),
    messageId: `<${mail.messageId}>`,
    date: new Date(mail.sentAt),
    // RFC 3834 §5: prevents automatic replies.
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composed.compile().build();
}
