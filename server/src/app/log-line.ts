import { styleText } from "node:util";

/**
 * A record as it is logged. What is logged chooses the names and values of its fields, so only time and level are
 * certain.
 */
interface LogRecord {
  readonly time: number;
  readonly level: number;
  readonly msg?: unknown;
  readonly err?: unknown;
  readonly [field: string]: unknown;
}

type Colour = Parameters<typeof styleText>[0];

const levels: Readonly<Record<number, readonly [label: string, colour: Colour]>> = {
  10: ["TRACE", "gray"],
  20: ["DEBUG", "blue"],
  30: ["INFO ", "green"],
  40: ["WARN ", "yellow"],
  50: ["ERROR", "red"],
  60: ["FATAL", ["bold", "red"]],
};

/**
 * Makes the function that turns a record, one line of JSON, into text for people: one line, and the stack of an error
 * below it.
 */
export function createLogLine({ hasColours }: { readonly hasColours: boolean }): (json: string) => string {
  const paint = (colour: Colour, text: string): string =>
    hasColours ? styleText(colour, text, { validateStream: false }) : text;
  return (json) => {
    const { time, level, msg, err, pid: _, hostname: __, ...fields } = JSON.parse(json) as LogRecord;
    const [label, colour] = levels[level] ?? [String(level), "gray"];
    const error = fieldsOfError(err);
    const parts = [paint("dim", timeOf(time)), paint(colour, label)];
    if (msg !== undefined) parts.push(typeof msg === "string" ? printable(msg) : shownValue(msg));
    for (const [name, value] of [...Object.entries(fields), ...error.fields]) {
      parts.push(`${paint("cyan", `${printable(name)}=`)}${shownValue(value)}`);
    }
    const stack = error.lines.map((line) => paint("dim", `    ${printable(line)}`));
    return `${[parts.join(" "), ...stack].join("\n")}\n`;
  };
}

interface ShownError {
  readonly fields: readonly (readonly [name: string, value: unknown])[];
  readonly lines: readonly string[];
}

function fieldsOfError(err: unknown): ShownError {
  if (err === undefined) return { fields: [], lines: [] };
  if (typeof err !== "object" || err === null) return { fields: [["err", err]], lines: [] };
  // The stack begins with the type and the message.
  const { stack, type, message, ...others } = err as Readonly<Record<string, unknown>>;
  const text = typeof stack === "string" ? stack : `${String(type)}: ${String(message)}`;
  return { fields: Object.entries(others).map(([name, value]) => [`err.${name}`, value]), lines: text.split("\n") };
}

// Local time: the log of a terminal is read beside the clock of the same machine.
const timeOf = (instant: number): string => new Date(instant).toTimeString().slice(0, 8);

function shownValue(value: unknown): string {
  const isWord = typeof value === "string" && /^[^\s"'=\\{}[\]]+$/.test(value);
  return printable(isWord ? value : JSON.stringify(value));
}

// Requests bring parts of records: none of their characters may begin a line, move the cursor or reorder the text.
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    found === "\n" ? "\\n" : `\\u{${found.codePointAt(0)?.toString(16)}}`,
  );
