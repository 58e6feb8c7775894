/**
 * An exchange as a golden file has it: ids are named as the scene knows them, others by their order; ports, moments of
 * the machine and what is random have a word in their place.
 */
export function normalize(exchange: object, ids: Readonly<Record<string, string>>, port: number): unknown {
  const known = new Map(Object.entries(ids).map(([name, id]) => [id, `<${name}>`]));
  known.delete(ids["last"] ?? "");
  const others = new Map<string, string>();
  const nameOf = (id: string): string => {
    const name = known.get(id) ?? others.get(id) ?? `<id ${others.size + 1}>`;
    if (!known.has(id)) others.set(id, name);
    return name;
  };
  const text = (value: string): string =>
    (known.get(value) ?? value)
      .replaceAll(/\b\d{18,19}\b/g, nameOf)
      .replaceAll(new RegExp(`localhost:${port}`, "g"), "<host>")
      .replaceAll(/localhost:\d{4,5}/g, "<mail host>");
  const walk = (value: unknown, key = ""): unknown => {
    if (typeof value === "string") return /^(signingKey|token)$/.test(key) ? "<secret>" : text(value);
    if (Array.isArray(value)) return value.map((each) => walk(each));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, name)]));
  };
  return walk(exchange);
}
