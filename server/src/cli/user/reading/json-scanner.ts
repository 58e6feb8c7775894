import { FramingError } from "./framer.ts";

/** What a framer makes of the parts of JSON. `at` is an index of the chunk that is being scanned. */
interface JsonParts {
  /** A bracket, before the depth grows. */
  open(isObject: boolean, at: number): void;
  /** A bracket, after the depth has shrunk. */
  close(at: number): void;
  comma(at: number): void;
  /** The beginning of a string that is no name, or a character of a number or a word. */
  value(at: number): void;
  /** Whether a string that begins now is a name to be read. */
  readsName(): boolean;
  /** A name that was read, as it stands between its quotes; only its first 100 bytes. */
  name(text: string): void;
}

/** Where in the text a scan is. */
export interface JsonScanner {
  /** How many brackets are open. */
  readonly depth: number;
  /** Tells of the parts in the next bytes. Throws `FramingError`. */
  scan(chunk: Buffer, parts: JsonParts): void;
  /** Takes the end of the text. Throws `FramingError` in the middle of a bracket or string. */
  end(): void;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openingBracket = 0x5b;
const openingBrace = 0x7b;
const closingBracket = 0x5d;
const closingBrace = 0x7d;

const longestName = 100;

/**
 * Creates a scanner of JSON that looks at brackets and strings alone, and holds nothing but a name. Whether a part is
 * JSON is found out when it is parsed.
 */
export function createJsonScanner(): JsonScanner {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let name: number[] | undefined;

  const scanString = (code: number, parts: JsonParts): void => {
    if (isEscaped) isEscaped = false;
    else if (code === backslash) isEscaped = true;
    else if (code === quote) {
      isInString = false;
      if (name !== undefined) parts.name(Buffer.from(name).toString("latin1"));
      name = undefined;
      return;
    }
    if (name !== undefined && name.length < longestName) name.push(code);
  };
  const scanOutside = (code: number, at: number, parts: JsonParts): void => {
    if (code === openingBrace || code === openingBracket) {
      parts.open(code === openingBrace, at);
      depth++;
    } else if (code === closingBrace || code === closingBracket) {
      if (depth === 0) throw unexpected("a closing bracket without an opening one");
      depth--;
      parts.close(at);
    } else if (code === comma) parts.comma(at);
    else if (code !== colon && !isSpace(code)) {
      if (depth === 0) throw unexpected("text outside of brackets");
      isInString = code === quote;
      if (isInString && parts.readsName()) name = [];
      else parts.value(at);
    }
  };
  return {
    get depth() {
      return depth;
    },
    scan: (chunk, parts) => {
      for (let at = 0; at < chunk.length; at++) {
        const code = chunk[at] ?? 0;
        if (isInString) scanString(code, parts);
        else scanOutside(code, at, parts);
      }
    },
    end: () => {
      if (depth > 0 || isInString) throw unexpected("its end in the middle of an object or array");
    },
  };
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Returns the error for something that JSON does not have there. */
export const unexpected = (what: string): FramingError => new FramingError(`it is not JSON: there is ${what}`);
