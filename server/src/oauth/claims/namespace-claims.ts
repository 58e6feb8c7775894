/** Claims as a client with another namespace word expects them: names that begin with `urn:service:` carry its word instead. */
export function withNamespaceWord(
  claims: Readonly<Record<string, unknown>>,
  word: string | undefined,
): Record<string, unknown> {
  if (word === undefined) return { ...claims };
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [name.replace(/^urn:service:/, `urn:${word}:`), value]),
  );
}
