/**
 * Renames claims for a client with another namespace word: names that begin with `urn:service:` get its word instead.
 */
export function withNamespaceWord(
  claims: Readonly<Record<string, unknown>>,
  word: string | undefined,
): Record<string, unknown> {
  if (word === undefined) return { ...claims };
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [name.replace(/^urn:service:/, `urn:${word}:`), value]),
  );
}
