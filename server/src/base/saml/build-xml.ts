import { canonicalize } from "./canonicalize.ts";
import { namespaces, type SamlPrefix } from "./names.ts";
import { namespaceIn, scopeInside } from "./scope.ts";
import type { XmlAttribute, XmlElement } from "./xml-element.ts";

/** Attributes by name; those without a value are left out. A name has a prefix of `namespaces` or none. */
export type XmlValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** What is inside of an element that is being built; undefined parts are left out. */
export type XmlContent = XmlElement | string | undefined;

const scope = scopeInside(undefined, Object.entries(namespaces));

/** Builds an element to be written: `xml("saml:Issuer", {}, ["…"])`. `writeXml` escapes every text and value. */
export function xml(
  name: `${SamlPrefix}:${string}`,
  values: XmlValues = {},
  content: readonly XmlContent[] = [],
): XmlElement {
  const [prefix, local] = split(name);
  const attributes = Object.entries(values).flatMap(([each, value]): XmlAttribute[] => {
    if (value === undefined) return [];
    const [attributePrefix, attributeName] = split(each);
    const namespace = attributePrefix === "" ? "" : namespaceOf(attributePrefix);
    return [{ prefix: attributePrefix, namespace, name: attributeName, value: validText(`${value}`) }];
  });
  const children = content.filter((child) => child !== undefined);
  return {
    prefix,
    namespace: namespaceOf(prefix),
    name: local,
    attributes,
    children: children.map((child) => (typeof child === "string" ? validText(child) : child)),
    scope,
  };
}

/** Writes an element in its canonical form, which is a document as well. */
export const writeXml = (element: XmlElement): string => canonicalize(element);

function split(name: string): [string, string] {
  const [first = "", second] = name.split(":", 2);
  return second === undefined ? ["", first] : [first, second];
}

function namespaceOf(prefix: string): string {
  const namespace = namespaceIn(scope, prefix);
  if (namespace === undefined) throw new TypeError(`no namespace for the prefix ${prefix}`);
  return namespace;
}

// XML 1.0 §2.2: other characters cannot be written, not even escaped. Names of users may contain them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const validText = (text: string): string => text.toWellFormed().replaceAll(unwritable, "\ufffd");
