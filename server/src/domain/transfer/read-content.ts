import { createHash } from "node:crypto";
import { isRecord } from "../../base/json.ts";
import { type ContentEnd, type Contents, type FileValue, type OnProgress, type RowCounts, totalOf } from "./content.ts";
import { readLines } from "./read-lines.ts";
import { TransferError } from "./transfer-error.ts";

/** A part of the content, in the order of the file. */
export type ContentPart =
  | { readonly kind: "contents"; readonly contents: Contents }
  | { readonly kind: "table"; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: "rows"; readonly rows: readonly (readonly FileValue[])[] }
  | { readonly kind: "end"; readonly lastPosition: number; readonly end: ContentEnd };

// Of a batch.
const mostRows = 500;
const mostBytes = 4_000_000;
const damaged = (what: string): TransferError => new TransferError(`the file is damaged: ${what}`);

/**
 * Reads the content of an export, and compares it with its end record, which is the last part: only then was everything
 * there. Throws TransferError.
 */
export async function* readContent(
  source: AsyncIterable<Uint8Array>,
  onProgress: OnProgress,
): AsyncGenerator<ContentPart> {
  const reading = new Reading();
  let batch: (readonly FileValue[])[] = [];
  let size = 0;
  for await (const { bytes, text } of readLines(source)) {
    const line = parse(text);
    if (reading.end !== undefined) throw damaged("something follows its end");
    if (Array.isArray(line)) {
      reading.hash.update(bytes);
      batch.push(reading.takeRow(line));
      size += bytes.length;
      if (batch.length < mostRows && size < mostBytes) continue;
    }
    if (batch.length > 0) {
      yield { kind: "rows", rows: batch };
      batch = [];
      size = 0;
      onProgress(reading.progress());
    }
    if (!Array.isArray(line)) {
      const part = reading.take(line, bytes);
      if (part !== undefined) yield part;
    }
  }
  if (reading.end === undefined) throw damaged("it has no end");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TransferError("the file is damaged: a line is not JSON", { cause });
  }
}

/** The state of reading: what was announced and what came. */
class Reading {
  readonly hash = createHash("sha256");
  end: ContentEnd | undefined;
  #contents: Contents | undefined;
  #table: { readonly name: string; readonly width: number } | undefined;
  #lastPosition: number | undefined;
  #done = 0;
  #total = 0;
  readonly #rows: Record<string, number> = {};

  takeRow(row: unknown[]): readonly FileValue[] {
    if (this.#table === undefined || this.#lastPosition !== undefined) throw damaged("a row is outside of a table");
    const { name, width } = this.#table;
    if (row.length !== width || !row.every(isValue)) throw damaged(`a row of ${name} is not one of that table`);
    this.#rows[name] = (this.#rows[name] ?? 0) + 1;
    this.#done++;
    return row;
  }

  /** Takes a line that is not a row. Returns the part that it is; undefined when it belongs to the end. */
  take(line: unknown, bytes: Uint8Array): ContentPart | undefined {
    if (!isRecord(line)) throw damaged("a line is neither a row nor a record");
    if (this.#contents === undefined) return this.#takeContents(line["contents"]);
    if (typeof line["table"] === "string") {
      this.hash.update(bytes);
      return this.#takeTable(line["table"], line["columns"]);
    }
    if (Number.isSafeInteger(line["lastPosition"]) && this.#lastPosition === undefined) {
      this.hash.update(bytes);
      this.#lastPosition = line["lastPosition"] as number;
      return undefined;
    }
    return this.#takeEnd(line["end"]);
  }

  progress(): Parameters<OnProgress>[0] {
    return { table: this.#table?.name ?? "", done: this.#done, total: this.#total };
  }

  #takeContents(contents: unknown): ContentPart {
    if (!isContents(contents)) throw damaged("it does not begin with its contents");
    this.#contents = contents;
    this.#total = totalOf(contents.rows);
    return { kind: "contents", contents };
  }

  #takeTable(name: string, columns: unknown): ContentPart {
    if (!Array.isArray(columns) || !columns.every((column) => typeof column === "string")) {
      throw damaged(`table ${name} has no columns`);
    }
    if (name in this.#rows || this.#lastPosition !== undefined) throw damaged(`table ${name} comes twice or too late`);
    this.#table = { name, width: columns.length };
    this.#rows[name] = 0;
    return { kind: "table", table: name, columns };
  }

  #takeEnd(end: unknown): ContentPart {
    if (!isRecord(end) || !isCounts(end["rows"]) || typeof end["digest"] !== "string") {
      throw damaged("a line is of an unknown kind");
    }
    const lastPosition = this.#lastPosition;
    if (lastPosition === undefined) throw damaged("the position of the feed is missing");
    for (const expected of [end["rows"], this.#contents?.rows ?? {}]) {
      const names = new Set([...Object.keys(expected), ...Object.keys(this.#rows)]);
      for (const name of names) {
        if (expected[name] === this.#rows[name]) continue;
        throw damaged(`it has ${this.#rows[name] ?? 0} rows of ${name}, and should have ${expected[name] ?? 0}`);
      }
    }
    const digest = this.hash.digest("base64url");
    if (digest !== end["digest"]) throw damaged("its digest is not that of its content");
    this.end = { rows: end["rows"], digest };
    return { kind: "end", lastPosition, end: this.end };
  }
}

const isValue = (value: unknown): value is FileValue =>
  value === null ||
  typeof value === "string" ||
  Number.isSafeInteger(value) ||
  (isRecord(value) && typeof value["sealed"] === "string" && Object.keys(value).length === 1);

const isCounts = (value: unknown): value is RowCounts =>
  isRecord(value) && Object.values(value).every((count) => Number.isSafeInteger(count));

const isContents = (value: unknown): value is Contents =>
  isRecord(value) &&
  typeof value["isWhole"] === "boolean" &&
  isCounts(value["rows"]) &&
  Array.isArray(value["instances"]) &&
  value["instances"].every(
    (each) => isRecord(each) && typeof each["instanceId"] === "string" && typeof each["name"] === "string",
  );
