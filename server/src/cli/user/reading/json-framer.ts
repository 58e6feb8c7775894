import { createCollector, type Framer } from "./framer.ts";
import { createJsonScanner, unexpected } from "./json-scanner.ts";

/**
 * Cuts JSON into entries: the elements of an array, of the array in a `member` of an object, or objects one after the
 * other (NDJSON). Only brackets and strings are looked at, so that a file of any size and depth takes the memory of
 * one entry; whether an entry is JSON is found out when it is parsed.
 */
export function createJsonFramer({ member, limit }: { readonly member?: string; readonly limit: number }): Framer {
  const collector = createCollector(limit);
  const scanner = createJsonScanner();
  // Depth of the brackets around entries; undefined outside of a list of entries.
  let base: number | undefined;
  // In an entry that is a string, a number or a word.
  let isInScalar = false;
  let isNameNext = false;
  // The name of the member was read last.
  let isWanted = false;
  let isOver = false;

  // Between the brackets of the outer object, where the member is looked for.
  const seeks = (): boolean => base === undefined && scanner.depth === 1;
  // Chooses by its first bracket what the text is. Only objects may follow one another.
  const beginText = (isObject: boolean): void => {
    if (isOver) throw unexpected("text after its end");
    if (base === 0) return;
    if (!isObject) base = 1;
    else if (member === undefined) base = 0;
    else isNameNext = true;
  };
  return {
    push: (chunk, emit) => {
      const endScalar = (at: number): void => {
        if (isInScalar) emit(collector.close(chunk, at));
        isInScalar = false;
      };
      scanner.scan(chunk, {
        open: (isObject, at) => {
          if (scanner.depth === 0) beginText(isObject);
          if (seeks() && isWanted && !isObject) base = 2;
          else if (scanner.depth === base) collector.open(at);
          isWanted = false;
        },
        close: (at) => {
          endScalar(at);
          const { depth } = scanner;
          if (depth === base && collector.isOpen) emit(collector.close(chunk, at + 1));
          else if (base === 2 && depth === 1) base = undefined;
          else if (depth === 0) isOver = true;
        },
        comma: (at) => {
          endScalar(at);
          isNameNext = seeks();
          isWanted = false;
        },
        value: (at) => {
          if (scanner.depth === base && !isInScalar) {
            isInScalar = true;
            collector.open(at);
          }
          isWanted = false;
        },
        readsName: () => seeks() && isNameNext,
        name: (text) => {
          isWanted = text === member;
          isNameNext = false;
        },
      });
      collector.carry(chunk);
    },
    end: scanner.end,
  };
}
