/** The body of a request, as an object of JSON. */
export type Body = Readonly<Record<string, unknown>>;

/** Reads a body that was typed; undefined when it is not an object of JSON. */
export function readBody(text: string): Body | undefined {
  try {
    const value = JSON.parse(text.trim() === "" ? "{}" : text) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Body) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a body as it is edited. */
export const writeBody = (body: object): string => JSON.stringify(body, null, 2);

/** Returns the body with another value of a field; without the field where there is none. */
export function withField(body: Body, name: string, value: unknown): Body {
  const others = Object.entries(body).filter(([other]) => other !== name);
  if (value === undefined) return Object.fromEntries(others);
  return name in body
    ? Object.fromEntries(Object.entries(body).map(([other, former]) => [other, other === name ? value : former]))
    : Object.fromEntries([...others, [name, value]]);
}
