/** Counts the bytes of bodies that are being received: what was sent so far is kept until the body is whole. */
export interface BodyShare {
  /** Counts bytes of a source; returns false, without counting, when the source or the process has too many. */
  take(source: string, bytes: number): boolean;
  giveBack(source: string, bytes: number): void;
}

const leastOfSource = 32 * 1024 * 1024;

/**
 * Creates the count of a process. Without it, what one source sends in the time that a body may take is all kept: as many
 * bodies that never end as it has streams.
 */
export function createBodyShare({ bodyLimit }: { readonly bodyLimit: number }): BodyShare {
  const mostOfSource = Math.max(leastOfSource, 4 * bodyLimit);
  const mostOfAll = 8 * mostOfSource;
  const counts = new Map<string, number>();
  let all = 0;
  return {
    take: (source, bytes) => {
      const count = (counts.get(source) ?? 0) + bytes;
      if (count > mostOfSource || all + bytes > mostOfAll) return false;
      counts.set(source, count);
      all += bytes;
      return true;
    },
    giveBack: (source, bytes) => {
      if (bytes === 0) return;
      const left = (counts.get(source) ?? 0) - bytes;
      if (left > 0) counts.set(source, left);
      else counts.delete(source);
      all -= bytes;
    },
  };
}
