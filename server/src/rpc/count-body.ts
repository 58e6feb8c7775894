import type { ByteShare } from "../web/index.ts";

interface Counting {
  readonly share: ByteShare;
  readonly source: string;
  /** Returns the refusal of a body for which there is no room. */
  readonly tooMany: () => Error;
}

/** Counts a body among those that are being received, for as long as it is read. */
export async function* countBody(
  body: AsyncIterable<Uint8Array>,
  { share, source, tooMany }: Counting,
): AsyncIterable<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  let dropped: Error | undefined;
  let stopWaiting: (reason: Error) => void = () => undefined;
  const counted = share.begin(source, () => {
    dropped = tooMany();
    stopWaiting(dropped);
  });
  // Not a race with one promise for the whole body, which would keep something of each chunk.
  const next = (): Promise<IteratorResult<Uint8Array>> =>
    new Promise((resolve, reject) => {
      stopWaiting = reject;
      chunks.next().then(resolve, reject);
    });
  try {
    // Before the first byte, because requests whose bodies never come are kept as well.
    if (!counted.take(0)) throw tooMany();
    for (;;) {
      const { value, done } = await next();
      if (dropped !== undefined) throw dropped;
      if (done === true) return;
      if (!counted.take(value.length)) throw tooMany();
      yield value;
    }
  } finally {
    counted.end();
    // Not waited for: it ends with the request, and what is waited for here may never come.
    void chunks.return?.()?.catch(() => undefined);
  }
}
