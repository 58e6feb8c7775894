/** The bytes of one entry of a file; undefined for one that is larger than what is read into memory. */
export interface RawItem {
  /** Position of its first byte. */
  readonly offset: number;
  readonly bytes: Buffer | undefined;
}

/** Cuts a stream of bytes into entries, without holding more than one of them. */
export interface Framer {
  /** Takes the next bytes, and hands over each entry that ends in them. Throws `FramingError`. */
  push(chunk: Buffer, emit: (item: RawItem) => void): void;
  /** Takes the end of the file. */
  end(emit: (item: RawItem) => void): void;
}

/** Thrown when a file does not have the form that it should have. */
export class FramingError extends Error {
  override readonly name = "FramingError";
}

/** Collects the bytes of an entry that may begin and end in different chunks. */
export interface Collector {
  readonly isOpen: boolean;
  /** Begins an entry at an index of the present chunk. */
  open(index: number): void;
  /** Ends it before an index of the present chunk. */
  close(chunk: Buffer, end: number): RawItem;
  /** Keeps what the present chunk has of an entry that goes on in the next one. */
  carry(chunk: Buffer): void;
}

/** Creates a collector that drops entries beyond a number of bytes. */
export function createCollector(limit: number): Collector {
  let passed = 0;
  let offset = 0;
  let start = -1;
  let parts: Buffer[] = [];
  let size = 0;
  const keep = (part: Buffer): void => {
    size += part.length;
    if (size > limit) parts = [];
    else parts.push(part);
  };
  return {
    get isOpen() {
      return start >= 0;
    },
    open: (index) => {
      start = index;
      offset = passed + index;
    },
    close: (chunk, end) => {
      keep(chunk.subarray(start, end));
      const item = { offset, bytes: size > limit ? undefined : Buffer.concat(parts) };
      start = -1;
      parts = [];
      size = 0;
      return item;
    },
    carry: (chunk) => {
      if (start >= 0) {
        // A copy: the chunk is reused, and would be kept as a whole.
        keep(Buffer.from(chunk.subarray(start)));
        start = 0;
      }
      passed += chunk.length;
    },
  };
}
