/** Most origins of a document that count. */
const most = 100;
/** Longest origin that counts: a scheme, the longest name that DNS has, and a port. */
const longest = 300;

/**
 * Lists the origins (RFC 6454) of the web addresses in a JSON document, each once, in the order in which it names them.
 * Of a document with very many, only the first.
 */
export function originsIn(document: unknown): string[] {
  const found = new Set<string>();
  collect(document, found);
  return [...found];
}

function collect(value: unknown, found: Set<string>): void {
  if (found.size >= most) return;
  if (typeof value === "string") {
    const origin = /^https?:/i.test(value) ? URL.parse(value)?.origin : undefined;
    if (origin !== undefined && origin.length <= longest) found.add(origin);
  } else if (typeof value === "object" && value !== null) {
    for (const each of Object.values(value)) collect(each, found);
  }
}
