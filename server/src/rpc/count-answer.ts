import type { ByteShare } from "../web/index.ts";

interface Counting {
  readonly share: ByteShare;
  readonly source: string;
  /** Ends the exchange; what was not sent is dropped. */
  readonly end: () => void;
  /** Whether the exchange has already ended and no longer notifies listeners. */
  readonly isClosed: () => boolean;
  readonly whenClosed: (listener: () => void) => void;
}

/**
 * Counts each part of an answer until the next one is asked for, and the last until the exchange is closed. An exchange
 * that the client canceled keeps nothing.
 */
export async function* countAnswer(
  parts: AsyncIterable<Uint8Array>,
  { share, source, end, isClosed, whenClosed }: Counting,
): AsyncIterable<Uint8Array> {
  const counted = share.begin(source, end);
  whenClosed(() => counted.end());
  for await (const part of parts) {
    counted.end();
    if (isClosed()) return;
    if (!counted.take(part.length)) return end();
    yield part;
  }
}
