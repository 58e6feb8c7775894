/** An e-mail address or phone number, so that its owner knows it again and nobody learns it: `a…@mail.example`, `+41…67`. */
export function mask(contact: string): string {
  const at = contact.lastIndexOf("@");
  if (at === -1) return `${contact.slice(0, 3)}…${contact.slice(-2)}`;
  const [first = ""] = contact;
  return `${first}…${contact.slice(at)}`;
}
