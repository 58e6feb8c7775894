import { lazy } from "../lazy.ts";
import { createDocumentCounts, type DocumentKind, documentLimits } from "./document-limits.ts";
import { SamlRefused } from "./saml-refused.ts";
import { scopeInside } from "./scope.ts";
import type { XmlAttribute, XmlElement } from "./xml-element.ts";

const loadParser = lazy(() => import("saxes"));

const xmlNamespace = "http://www.w3.org/XML/1998/namespace";
const declarationNamespace = "http://www.w3.org/2000/xmlns/";

export interface ReadXmlRules {
  /** What the document is, which decides its limits; a response when absent. */
  readonly kind?: DocumentKind;
  /** Whether comments are skipped, as in metadata that people wrote. A comment in a message is refused. */
  readonly skipsComments?: boolean;
}

/**
 * Reads a document, strictly: UTF-8, no DTD, entities, processing instructions, CDATA or duplicate IDs, and everything
 * has a limit while it is read (`document-limits.ts`). What is kept is linear in the document. Throws SamlRefused.
 */
export async function readXml(document: Buffer | string, rules: ReadXmlRules = {}): Promise<XmlElement> {
  const limits = documentLimits[rules.kind ?? "response"];
  const text = decode(document, limits.bytes);
  const { SaxesParser } = await loadParser();
  const counts = createDocumentCounts(limits);
  const tree = createTree();
  const parser = new SaxesParser({ xmlns: true, position: false, forceXMLVersion: true, defaultXMLVersion: "1.0" });
  const refuse = (): never => {
    throw new SamlRefused("forbidden_markup");
  };
  parser.on("error", () => {
    throw new SamlRefused("malformed");
  });
  parser.on("doctype", refuse);
  parser.on("processinginstruction", refuse);
  parser.on("cdata", refuse);
  if (rules.skipsComments !== true) parser.on("comment", refuse);
  parser.on("xmldecl", ({ version, encoding = "UTF-8" }) => {
    if ((version ?? "1.0") !== "1.0" || encoding.toUpperCase() !== "UTF-8") throw new SamlRefused("malformed");
  });
  // Before the parser resolves them.
  parser.on("attribute", counts.attribute);
  parser.on("opentag", ({ prefix, local, uri, attributes, ns }) => {
    counts.element(tree.level() + 1);
    const read = Object.values(attributes).filter((each) => each.uri !== declarationNamespace);
    const declared = Object.entries(ns);
    tree.open({ prefix, namespace: uri, name: local, attributes: read.map(toAttribute), declared });
  });
  parser.on("closetag", () => tree.close());
  parser.on("text", (content) => tree.add(content));
  // The declaration of a document type is refused before its content is read, however the parser treats it.
  if (/<!DOCTYPE/i.test(text)) refuse();
  parser.write(text).close();
  return tree.root();
}

function decode(document: Buffer | string, largest: number): string {
  const bytes = typeof document === "string" ? Buffer.from(document, "utf8") : document;
  if (bytes.length > largest) throw new SamlRefused("too_large");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SamlRefused("malformed");
  }
}

const toAttribute = (attribute: { prefix: string; uri: string; local: string; value: string }): XmlAttribute => ({
  prefix: attribute.prefix,
  namespace: attribute.uri,
  name: attribute.local,
  value: attribute.value,
});

interface Opened {
  readonly prefix: string;
  readonly namespace: string;
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly declared: readonly (readonly [string, string])[];
}

interface Growing extends XmlElement {
  readonly children: (XmlElement | string)[];
}

/** Collects the elements of a document. */
function createTree() {
  const path: Growing[] = [];
  const ids = new Set<string>();
  let found: XmlElement | undefined;
  return {
    level: (): number => path.length,
    open: ({ declared, ...element }: Opened): void => {
      noteIds(element.attributes, ids);
      const parent = path.at(-1);
      const opened: Growing = { ...element, scope: scopeInside(parent?.scope, declared), children: [] };
      parent?.children.push(opened);
      found ??= opened;
      path.push(opened);
    },
    close: (): void => {
      path.pop();
    },
    add: (content: string): void => {
      path.at(-1)?.children.push(content);
    },
    root: (): XmlElement => {
      if (found === undefined) throw new SamlRefused("malformed");
      return found;
    },
  };
}

// Attributes that a reference could mean, in any of the vocabularies: the same value twice is ambiguous.
function noteIds(attributes: readonly XmlAttribute[], ids: Set<string>): void {
  for (const { namespace, name, value } of attributes) {
    const isId = (namespace === "" || namespace === xmlNamespace) && name.toLowerCase() === "id";
    if (!isId) continue;
    if (ids.has(value)) throw new SamlRefused("duplicate_id");
    ids.add(value);
  }
}
