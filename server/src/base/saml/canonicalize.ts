import { SamlRefused } from "./saml-refused.ts";
import { namespaceIn, type Scope, scopeInside } from "./scope.ts";
import type { XmlAttribute, XmlElement } from "./xml-element.ts";

/** Exclusive XML Canonicalization 1.0 without comments, the only canonical form that is accepted and written. */
export const exclusiveCanonicalization = "http://www.w3.org/2001/10/xml-exc-c14n#";

/**
 * Returns the canonical form of an element (Exclusive XML Canonicalization §3). `inclusivePrefixes` are those that
 * `InclusiveNamespaces` lists: their namespaces are declared whether or not they are visibly used. Whatever is read of
 * a signed element is read from this text, so a mistake here can refuse good signatures, and never widens one. A form
 * of more than `largest` characters is refused while it is written: namespaces that are declared once in a document can
 * be declared at each element here. Throws SamlRefused.
 */
export function canonicalize(
  element: XmlElement,
  inclusivePrefixes: Iterable<string> = [],
  largest = Number.POSITIVE_INFINITY,
): string {
  const parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    length += part.length;
    if (length > largest) throw new SamlRefused("too_large");
    parts.push(part);
  };
  const inclusive = new Set(inclusivePrefixes);
  write(element, { scope: undefined, rendered: scopeInside(undefined, [["", ""]]) }, { inclusive, add });
  return parts.join("");
}

/** What holds around an element: in the document, and in the canonical form. */
interface Around {
  readonly scope: Scope | undefined;
  readonly rendered: Scope;
}

interface Form {
  readonly inclusive: ReadonlySet<string>;
  readonly add: (part: string) => void;
}

function write(element: XmlElement, around: Around, form: Form): void {
  const { add } = form;
  const name = qualified(element.prefix, element.name);
  const declared = declarationsOf(element, around, form.inclusive);
  add(`<${name}`);
  for (const [prefix, namespace] of declared) {
    add(` ${prefix === "" ? "xmlns" : `xmlns:${prefix}`}="${escapeValue(namespace)}"`);
  }
  for (const { prefix, name: local, value } of element.attributes.toSorted(byName)) {
    add(` ${qualified(prefix, local)}="${escapeValue(value)}"`);
  }
  add(">");
  const inside: Around = { scope: element.scope, rendered: scopeInside(around.rendered, declared) };
  for (const child of element.children) {
    if (typeof child === "string") add(escapeText(child));
    else write(child, inside, form);
  }
  add(`</${name}>`);
}

/** Returns the namespaces to declare at an element, ordered by prefix: used there and not declared so further out. */
function declarationsOf(
  { prefix, namespace, attributes, scope }: XmlElement,
  around: Around,
  inclusive: ReadonlySet<string>,
): [string, string][] {
  const used = new Map<string, string>([[prefix, namespace]]);
  for (const attribute of attributes) if (attribute.prefix !== "") used.set(attribute.prefix, attribute.namespace);
  for (const listed of newlyListed(scope, around.scope, inclusive)) {
    const held = namespaceIn(scope, listed);
    if (held !== undefined) used.set(listed, held);
  }
  // The prefix "xml" is never declared.
  return [...used]
    .filter(([each, held]) => each !== "xml" && namespaceIn(around.rendered, each) !== held)
    .toSorted(([one], [other]) => compare(one, other));
}

// What holds around an element was declared there, with the listed prefixes: only what it declares can be new.
function newlyListed(scope: Scope, around: Scope | undefined, inclusive: ReadonlySet<string>): Iterable<string> {
  if (inclusive.size === 0 || scope === around) return [];
  return scope.outer === around && around !== undefined ? inclusive.intersection(scope.declared) : inclusive;
}

const qualified = (prefix: string, name: string): string => (prefix === "" ? name : `${prefix}:${name}`);

// Canonical XML §2.2: by namespace, then by local name, as the bytes compare.
const byName = (one: XmlAttribute, other: XmlAttribute): number =>
  compare(one.namespace, other.namespace) || compare(one.name, other.name);

const compare = (one: string, other: string): number =>
  one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));

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
