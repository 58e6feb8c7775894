/** An element of a document, as the markup has it. */
export interface FoundElement {
  readonly name: string;
  /** Names in lower case; values with their references decoded. */
  readonly attributes: ReadonlyMap<string, string>;
}

const references: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" };

/** Text as a reader sees it. */
export const decodeText = (text: string): string =>
  text.replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => references[name] ?? "");

// Elements with raw text up to their own end tag (HTML §13.2.5.1 ff.).
const raw = new Set(["script", "style", "title", "textarea", "noscript"]);

/**
 * Reads a document as a browser's tokenizer does (HTML §13.2.5), as far as what we write goes: it knows all kinds of
 * quotes and none, comments and text that only its own end tag ends. So injected markup shows itself as an element or
 * an attribute.
 */
export function readElements(document: string): FoundElement[] {
  const found: FoundElement[] = [];
  for (let at = document.indexOf("<"); at >= 0; at = document.indexOf("<", at)) {
    if (document.startsWith("<!--", at)) {
      at = endOf(document, "-->", at + 4);
      continue;
    }
    const [, slash = "", name = ""] = /^<(\/?)([a-z][^\s/>]*)/i.exec(document.slice(at, at + 200)) ?? [];
    if (name === "") {
      at++;
      continue;
    }
    const { attributes, end } = readAttributes(document, at + 1 + slash.length + name.length);
    at = end;
    if (slash !== "") continue;
    const element = { name: name.toLowerCase(), attributes };
    found.push(element);
    if (raw.has(element.name)) at = endOf(document, `</${element.name}`, at) - element.name.length - 2;
  }
  return found;
}

const endOf = (document: string, end: string, from: number): number => {
  const at = document.toLowerCase().indexOf(end, from);
  return at < 0 ? document.length + end.length : at + end.length;
};

function readAttributes(document: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  const part = /\s*\/?(?:([^\s"'<>/=]+[^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?|(>)|([^\s]))/gy;
  part.lastIndex = from;
  for (let match = part.exec(document); match !== null; match = part.exec(document)) {
    const [, name, double, single, bare, end, stray] = match;
    if (end !== undefined) return { attributes, end: part.lastIndex };
    if (name !== undefined) attributes.set(name.toLowerCase(), decodeText(double ?? single ?? bare ?? ""));
    if (stray !== undefined) attributes.set(stray, "");
  }
  return { attributes, end: document.length };
}
