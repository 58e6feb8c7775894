import type { ByteShare } from "../web/index.ts";

interface Counting {
  readonly share: ByteShare;
  readonly source: string;
  /** Ends the exchange; what was not sent is dropped. */
  readonly end: () => void;
  readonly whenClosed: (listener: () => void) => void;
}

/** Counts each part of an answer until the next one is asked for, and the last until the exchange is closed. */
export async function* countAnswer(
  parts: AsyncIterable<Uint8Array>,
  { share, source, end, whenClosed }: Counting,
): AsyncIterable<Uint8Array> {
  const counted = share.begin(source, end);
  whenClosed(() => counted.end());
  for await (const part of parts) {
    counted.end();
    if (!counted.take(part.length)) return end();
    yield part;
  }
}
