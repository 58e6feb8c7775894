/** Adds parameters to the existing query of an address (RFC 6749 §4.1.2). */
export function appendQuery(uri: string, parameters: Readonly<Record<string, string>>): string {
  const separator = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&";
  return uri + separator + new URLSearchParams(parameters).toString();
}
