/** Whether a text is one mailbox without quoting, comments or lists (a strict part of RFC 5321 §4.1.2). */
export function isEmailAddress(value: string): boolean {
  if (value.length > 254 || /[\s\p{C}<>()[\],;:\\"]/u.test(value)) return false;
  const parts = value.normalize("NFKC").split("@");
  if (parts.length !== 2) return false;
  const [local = "", domain = ""] = parts;
  if (local === "" || local.length > 64 || local.startsWith(".") || local.endsWith(".") || local.includes(".."))
    return false;
  return (
    domain.length <= 253 &&
    domain.split(".").every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(label))
  );
}
