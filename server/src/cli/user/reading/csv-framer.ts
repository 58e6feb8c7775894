import { createCollector, type Framer, FramingError } from "./framer.ts";

const quote = 0x22;

/**
 * Cuts CSV into its records (RFC 4180): lines, where line breaks between quotes do not count. Empty lines are left out.
 */
export function createCsvFramer({ limit }: { readonly limit: number }): Framer {
  const collector = createCollector(limit);
  let isQuoted = false;
  return {
    push: (chunk, emit) => {
      for (let index = 0; index < chunk.length; index++) {
        const code = chunk[index];
        const isBreak = !isQuoted && (code === 0x0a || code === 0x0d);
        if (isBreak) {
          if (collector.isOpen) emit(collector.close(chunk, index));
          continue;
        }
        if (code === quote) isQuoted = !isQuoted;
        if (!collector.isOpen) collector.open(index);
      }
      collector.carry(chunk);
    },
    end: (emit) => {
      if (isQuoted) throw new FramingError("it is not CSV: a quote is opened and never closed");
      if (collector.isOpen) emit(collector.close(Buffer.alloc(0), 0));
    },
  };
}
