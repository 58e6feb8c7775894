const pageSize = 4_096;
const zeros = new Uint8Array(pageSize);
/** A gap as long as this is the stack of the interpreter, which is between its data and its heap. */
const shortestStack = 4 * 1024 * 1024;
/** What is kept of a gap at its begin, where variables that are zero may be. */
const margin = 64 * 1024;

interface Range {
  readonly begin: number;
  readonly end: number;
}

/**
 * Copies what the memory of an interpreter holds now. Returns a function that sets it back: afterwards everything that
 * was made since is gone. The stack below its present end is left as it is: it is written before it is read.
 */
export function takeSnapshot(buffer: ArrayBuffer): () => void {
  const memory = new Uint8Array(buffer);
  const copies = rangesInUse(memory).map(({ begin, end }) => ({ begin, bytes: memory.slice(begin, end) }));
  return () => {
    for (const { begin, bytes } of copies) memory.set(bytes, begin);
  };
}

function rangesInUse(memory: Uint8Array): Range[] {
  const ranges: { begin: number; end: number }[] = [];
  for (let begin = 0; begin < memory.length; begin += pageSize) {
    if (Buffer.compare(memory.subarray(begin, begin + pageSize), zeros) === 0) continue;
    const last = ranges.at(-1);
    if (last !== undefined && begin - last.end < shortestStack) last.end = begin + pageSize;
    else ranges.push({ begin, end: begin + pageSize });
  }
  return ranges.map(({ begin, end }, index) => ({ begin, end: index < ranges.length - 1 ? end + margin : end }));
}
