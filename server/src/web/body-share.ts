import { blockOf } from "../base/budget/network-of.ts";

/** Counts the bytes that are kept for sources, by what keeps them: a body, an answer, a call. */
export interface ByteShare {
  /**
   * Begins to count something. `drop` is called at most once, when another block needs its bytes, which are given back
   * by then.
   */
  begin(source: string, drop: () => void): Counted;
}

interface Counted {
  /**
   * Counts a chunk of that many bytes; returns false, without counting, when the source, its block or the process has
   * too many.
   */
  take(length: number): boolean;
  /** Gives back what was counted. */
  end(): void;
}

/** What each may keep. */
interface Shares {
  readonly ofSource: number;
  readonly ofBlock: number;
  readonly ofAll: number;
  /** Returns the block that a source is part of. */
  readonly nameOfBlock: (source: string) => string;
  /** What is counted for the first chunk at least, which pays for those that follow. */
  readonly atLeast: number;
}

/** What a block keeps, what began first before the others. */
interface Block {
  bytes: number;
  readonly bodies: Map<Counted, () => void>;
}

// What keeping a chunk takes besides its bytes. A body may come in as many chunks as it has bytes.
const sizeOfChunk = 256;

// What a request takes besides its body and its answer: its headers and its stream.
const sizeOfRequest = 8192;

/** The largest body, and what a source may have of bodies, unless four of the largest are more. */
interface BodyLimits {
  readonly bodyLimit: number;
  readonly maxBodyBytesPerSource: number;
}

const sharesOf = ({ bodyLimit, maxBodyBytesPerSource }: BodyLimits): Shares => {
  const ofSource = Math.max(maxBodyBytesPerSource, 4 * bodyLimit);
  return { ofSource, ofBlock: 2 * ofSource, ofAll: 8 * ofSource, nameOfBlock: blockOf, atLeast: sizeOfRequest };
};

/**
 * Creates the count of the bodies that a process receives. Without it, what one source sends in the time that a body
 * may take is all kept: as many bodies that never end as it has streams.
 */
export const createBodyShare = (limits: BodyLimits): ByteShare => createShare(sharesOf(limits));

/** Creates the count of the answers that a process has and that were not sent yet: as much as of bodies. */
export const createAnswerShare = (limits: BodyLimits): ByteShare => createShare(sharesOf(limits));

/**
 * Creates a count of a process. When the process is full, the block that holds most gives way to those that hold less,
 * so that no site, nor several of them, keep others out.
 */
export function createShare({
  ofSource: mostOfSource,
  ofBlock: mostOfBlock,
  ofAll: mostOfAll,
  nameOfBlock,
  atLeast,
}: Shares): ByteShare {
  const sources = new Map<string, number>();
  const blocks = new Map<string, Block>();
  const order = createOrder(mostOfBlock);
  let all = 0;

  /** Drops bodies of the blocks that hold most until there is room; returns whether there is. */
  const makeRoom = (bytes: number, ofBlock: number): boolean => {
    while (all + bytes > mostOfAll) {
      const fullest = order.fullest();
      if (fullest === undefined || fullest.bytes <= ofBlock + bytes) return false;
      const [[body, drop] = []] = fullest.bodies;
      if (body === undefined || drop === undefined) return false;
      body.end();
      drop();
    }
    return true;
  };
  return {
    begin: (source, drop) => {
      const name = nameOfBlock(source);
      let counted = 0;
      // What was counted and not needed yet.
      let ahead = 0;
      const body: Counted = {
        take: (length) => {
          const needed = length === 0 ? 0 : length + sizeOfChunk;
          if (counted > 0 && needed <= ahead) {
            ahead -= needed;
            return true;
          }
          const bytes = counted === 0 ? Math.max(needed, atLeast) : needed - ahead;
          const ofSource = (sources.get(source) ?? 0) + bytes;
          const ofBlock = blocks.get(name)?.bytes ?? 0;
          if (ofSource > mostOfSource || ofBlock + bytes > mostOfBlock || !makeRoom(bytes, ofBlock)) return false;
          const block = blocks.get(name) ?? { bytes: 0, bodies: new Map() };
          blocks.set(name, block);
          if (counted === 0) block.bodies.set(body, drop);
          order.move(block, block.bytes + bytes);
          sources.set(source, ofSource);
          ahead += bytes - needed;
          counted += bytes;
          all += bytes;
          return true;
        },
        end: () => {
          if (counted === 0) return;
          const left = (sources.get(source) ?? 0) - counted;
          if (left > 0) sources.set(source, left);
          else sources.delete(source);
          const block = blocks.get(name);
          block?.bodies.delete(body);
          if (block !== undefined) order.move(block, block.bytes - counted);
          if (block?.bodies.size === 0) blocks.delete(name);
          all -= counted;
          counted = 0;
          ahead = 0;
        },
      };
      return body;
    },
  };
}

const levels = 1_024;

/**
 * Keeps blocks by how much they hold, to a thousandth of what one may hold: looking at each of them with every chunk
 * would cost the more the fuller the process is.
 */
function createOrder(mostOfBlock: number) {
  const width = Math.ceil(mostOfBlock / levels);
  const held = Array.from({ length: levels + 1 }, () => new Set<Block>());
  let highest = 0;
  const levelOf = (bytes: number): number => Math.min(levels, Math.floor(bytes / width));
  return {
    move: (block: Block, bytes: number): void => {
      const [from, to] = [levelOf(block.bytes), levelOf(bytes)];
      block.bytes = bytes;
      if (bytes === 0 || from !== to) held[from]?.delete(block);
      if (bytes === 0) return;
      held[to]?.add(block);
      highest = Math.max(highest, to);
    },
    fullest: (): Block | undefined => {
      while (highest > 0 && held[highest]?.size === 0) highest--;
      const [fullest] = held[highest] ?? [];
      return fullest;
    },
  };
}
