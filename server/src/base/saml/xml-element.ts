import { namespaces, type SamlPrefix } from "./names.ts";
import { SamlRefused } from "./saml-refused.ts";
import type { Scope } from "./scope.ts";

export interface XmlAttribute {
  /** Empty for attributes without one. */
  readonly prefix: string;
  /** Empty for attributes without a prefix. */
  readonly namespace: string;
  /** The local name. */
  readonly name: string;
  readonly value: string;
}

/** An element as it was read, or as it is to be written. There are no comments: texts are never split. */
export interface XmlElement {
  readonly prefix: string;
  readonly namespace: string;
  /** The local name. */
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly (XmlElement | string)[];
  /** Namespaces by prefix that hold inside, for `InclusiveNamespaces` (Exclusive XML Canonicalization §2.1). */
  readonly scope: Scope;
}

/** Whether an element has this name. */
export const isNamed = (element: XmlElement, prefix: SamlPrefix, name: string): boolean =>
  element.name === name && element.namespace === namespaces[prefix];

/** Returns the elements directly inside. */
export const elementsIn = (element: XmlElement): readonly XmlElement[] =>
  element.children.filter((child): child is XmlElement => typeof child !== "string");

/** Returns the elements of this name directly inside. */
export const childrenOf = (element: XmlElement, prefix: SamlPrefix, name: string): readonly XmlElement[] =>
  elementsIn(element).filter((child) => isNamed(child, prefix, name));

/** Returns the element of this name directly inside, if any. Throws SamlRefused when there are several. */
export function childOf(element: XmlElement, prefix: SamlPrefix, name: string): XmlElement | undefined {
  const [first, ...others] = childrenOf(element, prefix, name);
  if (others.length > 0) throw new SamlRefused("unexpected_structure");
  return first;
}

/** Returns the only element of this name directly inside. Throws SamlRefused when there is not exactly one. */
export function onlyChildOf(element: XmlElement, prefix: SamlPrefix, name: string): XmlElement {
  const child = childOf(element, prefix, name);
  if (child === undefined) throw new SamlRefused("unexpected_structure");
  return child;
}

/** Returns the value of an attribute without a namespace. */
export const attributeOf = (element: XmlElement, name: string): string | undefined =>
  element.attributes.find((attribute) => attribute.namespace === "" && attribute.name === name)?.value;

/** Returns the text of an element that has nothing else inside, without space around it. Throws SamlRefused. */
export function textIn(element: XmlElement): string {
  if (elementsIn(element).length > 0) throw new SamlRefused("unexpected_structure");
  return element.children.join("").trim();
}

/** Reads a boolean attribute (`xs:boolean`). Throws SamlRefused for other texts. */
export function flagOf(element: XmlElement, name: string): boolean | undefined {
  const value = attributeOf(element, name);
  if (value === undefined) return undefined;
  if (value !== "true" && value !== "false" && value !== "1" && value !== "0") throw new SamlRefused("malformed");
  return value === "true" || value === "1";
}

// XML Schema §3.2.7; SAML Core §1.3.3 demands UTC, which is written with a "Z".
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,12})?(?:Z|\+00:00)$/;

/** Reads an attribute with an instant, in milliseconds. Throws SamlRefused for anything that is not one in UTC. */
export function instantOf(element: XmlElement, name: string): number | undefined {
  const value = attributeOf(element, name);
  if (value === undefined) return undefined;
  const instant = dateTime.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(instant)) throw new SamlRefused("malformed");
  return instant;
}
