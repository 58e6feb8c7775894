import type { XmlAttribute, XmlElement } from "./xml-element.ts";

/** Exclusive XML Canonicalization 1.0 without comments, the only canonical form that is accepted and written. */
export const exclusiveCanonicalization = "http://www.w3.org/2001/10/xml-exc-c14n#";

type Namespaces = ReadonlyMap<string, string>;

/**
 * Returns the canonical form of an element (Exclusive XML Canonicalization §3). `inclusivePrefixes` are those that
 * `InclusiveNamespaces` lists: their namespaces are declared whether or not they are visibly used. Whatever is read of
 * a signed element is read from this text, so a mistake here can refuse good signatures, and never widens one.
 */
export function canonicalize(element: XmlElement, inclusivePrefixes: readonly string[] = []): string {
  const parts: string[] = [];
  write(element, new Map([["", ""]]), inclusivePrefixes, parts);
  return parts.join("");
}

function write(element: XmlElement, rendered: Namespaces, inclusive: readonly string[], parts: string[]): void {
  const name = qualified(element.prefix, element.name);
  const declared = declarationsOf(element, rendered, inclusive);
  parts.push(`<${name}`);
  for (const [prefix, namespace] of declared) {
    parts.push(` ${prefix === "" ? "xmlns" : `xmlns:${prefix}`}="${escapeValue(namespace)}"`);
  }
  for (const { prefix, name: local, value } of element.attributes.toSorted(byName)) {
    parts.push(` ${qualified(prefix, local)}="${escapeValue(value)}"`);
  }
  parts.push(">");
  const inside = declared.length === 0 ? rendered : new Map([...rendered, ...declared]);
  for (const child of element.children) {
    if (typeof child === "string") parts.push(escapeText(child));
    else write(child, inside, inclusive, parts);
  }
  parts.push(`</${name}>`);
}

/** Returns the namespaces to declare at an element, ordered by prefix: used there and not declared so further out. */
function declarationsOf(
  { prefix, namespace, attributes, scope }: XmlElement,
  rendered: Namespaces,
  inclusive: readonly string[],
): [string, string][] {
  const used = new Map<string, string>([[prefix, namespace]]);
  for (const attribute of attributes) if (attribute.prefix !== "") used.set(attribute.prefix, attribute.namespace);
  for (const listed of inclusive) {
    const held = scope.get(listed);
    if (held !== undefined) used.set(listed, held);
  }
  // The prefix "xml" is never declared.
  return [...used]
    .filter(([each, held]) => each !== "xml" && rendered.get(each) !== held)
    .toSorted(([one], [other]) => compare(one, other));
}

const qualified = (prefix: string, name: string): string => (prefix === "" ? name : `${prefix}:${name}`);

// Canonical XML §2.2: by namespace, then by local name, as the bytes compare.
const byName = (one: XmlAttribute, other: XmlAttribute): number =>
  compare(one.namespace, other.namespace) || compare(one.name, other.name);

const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

const textEscapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#xD;" };
const valueEscapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  '"': "&quot;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;",
};

const escapeText = (text: string): string => text.replaceAll(/[&<>\r]/g, (each) => textEscapes[each] ?? "");
const escapeValue = (text: string): string => text.replaceAll(/[&<"\t\n\r]/g, (each) => valueEscapes[each] ?? "");
