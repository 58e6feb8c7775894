import { type Collector, createCollector, type Framer, FramingError, type RawItem } from "./framer.ts";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openingBracket = 0x5b;
const openingBrace = 0x7b;
const closingBracket = 0x5d;
const closingBrace = 0x7d;

const longestName = 100;

type Emit = (item: RawItem) => void;

/** Where in the text the framer is. */
interface State {
  readonly collector: Collector;
  readonly member: string | undefined;
  depth: number;
  /** Depth of the brackets around entries; undefined outside of a list of entries. */
  base: number | undefined;
  isInString: boolean;
  isEscaped: boolean;
  /** In an entry that is a string, a number or a word. */
  isInScalar: boolean;
  /** Characters of the name that is being read, in the object that has the member. */
  name: number[] | undefined;
  isNameNext: boolean;
  /** The name of the member was read last. */
  isWanted: boolean;
  isOver: boolean;
}

/**
 * Cuts JSON into entries: the elements of an array, of the array in a `member` of an object, or objects one after the
 * other (NDJSON). Only brackets and strings are looked at, so that a file of any size and depth takes the memory of
 * one entry; whether an entry is JSON is found out when it is parsed.
 */
export function createJsonFramer({ member, limit }: { readonly member?: string; readonly limit: number }): Framer {
  const state: State = {
    collector: createCollector(limit),
    member,
    depth: 0,
    base: undefined,
    isInString: false,
    isEscaped: false,
    isInScalar: false,
    name: undefined,
    isNameNext: false,
    isWanted: false,
    isOver: false,
  };
  return {
    push: (chunk, emit) => {
      for (let index = 0; index < chunk.length; index++) {
        if (state.isInString) stepInString(state, chunk[index] ?? 0);
        else step(state, chunk, { index, emit });
      }
      state.collector.carry(chunk);
    },
    end: () => {
      if (state.depth > 0 || state.isInString) throw unexpected("its end in the middle of an object or array");
    },
  };
}

interface Position {
  readonly index: number;
  readonly emit: Emit;
}

function step(state: State, chunk: Buffer, { index, emit }: Position): void {
  const code = chunk[index] ?? 0;
  if (code === quote) beginString(state, index);
  else if (code === openingBrace || code === openingBracket) open(state, code, index);
  else if (code === closingBrace || code === closingBracket) close(state, chunk, { index, emit });
  else if (code === comma) {
    if (state.isInScalar) endScalar(state, chunk, { index, emit });
    state.isNameNext = seeks(state);
    state.isWanted = false;
  } else if (code !== colon && !isSpace(code)) {
    if (state.depth === 0) throw unexpected("text outside of brackets");
    if (state.depth === state.base && !state.isInScalar) beginScalar(state, index);
    state.isWanted = false;
  }
}

/** Between the brackets of the outer object, where the member is looked for. */
const seeks = ({ base, depth }: State): boolean => base === undefined && depth === 1;

function open(state: State, code: number, index: number): void {
  if (state.depth === 0) beginText(state, code);
  else if (seeks(state) && state.isWanted && code === openingBracket) state.base = 2;
  else if (state.depth === state.base) state.collector.open(index);
  if (state.depth === 0 && state.base === 0) state.collector.open(index);
  state.depth++;
  state.isWanted = false;
}

/** Chooses by its first bracket what the text is. Only objects may follow one another. */
function beginText(state: State, code: number): void {
  if (state.isOver) throw unexpected("text after its end");
  if (state.base === 0) return;
  if (code === openingBracket) state.base = 1;
  else if (state.member === undefined) state.base = 0;
  else state.isNameNext = true;
}

function close(state: State, chunk: Buffer, { index, emit }: Position): void {
  if (state.depth === 0) throw unexpected("a closing bracket without an opening one");
  if (state.isInScalar) endScalar(state, chunk, { index, emit });
  state.depth--;
  if (state.depth === state.base && state.collector.isOpen) emit(state.collector.close(chunk, index + 1));
  else if (state.base === 2 && state.depth === 1) state.base = undefined;
  else if (state.depth === 0) state.isOver = true;
}

function beginString(state: State, index: number): void {
  if (state.depth === 0) throw unexpected("text outside of brackets");
  state.isInString = true;
  if (seeks(state) && state.isNameNext) state.name = [];
  else if (state.depth === state.base && !state.isInScalar) beginScalar(state, index);
}

function stepInString(state: State, code: number): void {
  if (state.isEscaped) state.isEscaped = false;
  else if (code === backslash) state.isEscaped = true;
  else if (code === quote) {
    endString(state);
    return;
  }
  if (state.name !== undefined && state.name.length < longestName) state.name.push(code);
}

function endString(state: State): void {
  state.isInString = false;
  if (state.name === undefined) return;
  state.isWanted = Buffer.from(state.name).toString("latin1") === state.member;
  state.name = undefined;
  state.isNameNext = false;
}

function beginScalar(state: State, index: number): void {
  state.isInScalar = true;
  state.collector.open(index);
}

function endScalar(state: State, chunk: Buffer, { index, emit }: Position): void {
  state.isInScalar = false;
  emit(state.collector.close(chunk, index));
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const unexpected = (what: string): FramingError => new FramingError(`it is not JSON: there is ${what}`);
