/**
 * Masks an email address or phone number, so that its owner recognizes it and others do not learn it:
 * `a…@mail.example`, `+41…67`.
 */
export function mask(contact: string): string {
  const at = contact.lastIndexOf("@");
  if (at === -1) return `${contact.slice(0, 3)}…${contact.slice(-2)}`;
  const [first = ""] = contact;
  return `${first}…${contact.slice(at)}`;
}
