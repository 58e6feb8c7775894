const maximumDepth = 64;

/**
 * Thrown for text that is not JSON, and for hostile JSON: too deeply nested, or with a member that could reach a
 * prototype.
 */
export class JsonError extends Error {
  override readonly name = "JsonError";
}

/**
 * Parses external JSON. Refuses more than 64 levels, the members `__proto__` and `constructor.prototype`, and member
 * names with quotes, backslashes or control characters.
 */
export function parseJson(text: string): unknown {
  const escapedNames = scan(text);
  try {
    const spelled = escapedNames.length === 0 ? text : respellNames(text, escapedNames);
    // Visiting every member takes four times as long as parsing, so only a text that contains such a word is checked.
    return dangerousWords.test(spelled) ? JSON.parse(spelled, refusePrototype) : JSON.parse(spelled);
  } catch (error) {
    if (error instanceof JsonError) throw error;
    throw new JsonError("malformed JSON", { cause: error });
  }
}

/** Whether a parsed value is an object (not an array, not null). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const dangerousWords = /__proto__|constructor/;

function refusePrototype(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new JsonError("member __proto__ is not allowed");
  if (key === "constructor" && isRecord(value) && Object.hasOwn(value, "prototype")) {
    throw new JsonError("member constructor.prototype is not allowed");
  }
  return value;
}

/** Where a quoted name begins and ends in the text. */
type Span = readonly [start: number, end: number];

// Scans the text once before any parser sees it: refuses hostile depth, and finds member names that contain escapes.
function scan(text: string): Span[] {
  const escapedNames: Span[] = [];
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) {
      const start = index;
      let isEscaped = false;
      for (index++; index < text.length && text.charCodeAt(index) !== 0x22; index++) {
        if (text.charCodeAt(index) !== 0x5c) continue;
        isEscaped = true;
        index++;
      }
      if (isEscaped && isName(text, index + 1)) escapedNames.push([start, index + 1]);
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > maximumDepth) throw new JsonError(`nested deeper than ${maximumDepth} levels`);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return escapedNames;
}

function isName(text: string, after: number): boolean {
  let index = after;
  while (" \t\n\r".includes(text[index] ?? "x")) index++;
  return text[index] === ":";
}

// V8 can read a name with an escape as another name that ends in a backslash and occurred in an earlier text
// (nodejs/node#63785). So names are rewritten without escapes before V8 reads them.
function respellNames(text: string, escapedNames: readonly Span[]): string {
  let result = "";
  let from = 0;
  for (const [start, end] of escapedNames) {
    const name = JSON.parse(text.slice(start, end)) as string;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    if (/["\\\u0000-\u001f]/.test(name))
      throw new JsonError("a member's name has quotes, backslashes or control characters");
    result += `${text.slice(from, start)}"${name}"`;
    from = end;
  }
  return result + text.slice(from);
}
