/**
 * Returns a name for a message to people of another organization: letters, digits and the signs of names, 100
 * characters at most. Mail programs make links of everything that looks like an address, so nothing does.
 */
export function plainName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{M}\p{N}&+'’–-]+/gu, " ").trim();
  return [...plain].slice(0, 100).join("").trim();
}
