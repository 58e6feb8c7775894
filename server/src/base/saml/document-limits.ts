import { SamlRefused } from "./saml-refused.ts";

/**
 * What a document is. Requests (and answers to them about a logout) are short and are read before anything is known of
 * their sender; responses bring attributes of users, often with declarations at each value.
 */
export type DocumentKind = "request" | "response" | "metadata";

/** What one document may have: all that reading, signatures and canonical forms cost follows from it. */
export interface DocumentLimits {
  readonly bytes: number;
  readonly levels: number;
  readonly elements: number;
  /** Of all elements, with their declarations of namespaces. */
  readonly attributes: number;
  /** Declarations of namespaces, of all elements. */
  readonly declarations: number;
}

/** Attributes of one element, with its declarations. */
const mostOfElement = 32;
// The name of a namespace is copied for each attribute in it while a document is read, and for each element in a
// canonical form: a long one would multiply.
const longestNamespace = 512;

/** The limits of each kind of document. Aggregates of federations are larger, and describe more partners than one. */
export const documentLimits: Readonly<Record<DocumentKind, DocumentLimits>> = {
  request: { bytes: 65_536, levels: 16, elements: 500, attributes: 1_000, declarations: 200 },
  response: { bytes: 262_144, levels: 32, elements: 5_000, attributes: 20_000, declarations: 10_000 },
  metadata: { bytes: 131_072, levels: 32, elements: 5_000, attributes: 10_000, declarations: 2_000 },
};

/** Counts what a document has while it is read. Each method throws SamlRefused beyond a limit. */
export function createDocumentCounts(limits: DocumentLimits) {
  const counts = { elements: 0, attributes: 0, declarations: 0 };
  let ofElement = 0;
  const require = (isWithin: boolean): void => {
    if (!isWithin) throw new SamlRefused("too_large");
  };
  return {
    attribute: ({
      name,
      prefix,
      value,
    }: {
      readonly name: string;
      readonly prefix: string;
      readonly value: string;
    }) => {
      ofElement += 1;
      counts.attributes += 1;
      require(ofElement <= mostOfElement && counts.attributes <= limits.attributes);
      if (prefix !== "xmlns" && name !== "xmlns") return;
      counts.declarations += 1;
      require(counts.declarations <= limits.declarations && value.length <= longestNamespace);
    },
    /** At the end of its tag: the attributes were counted before. */
    element: (level: number): void => {
      ofElement = 0;
      counts.elements += 1;
      require(level <= limits.levels && counts.elements <= limits.elements);
    },
  };
}
