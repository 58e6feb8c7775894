import { type Collector, createCollector, FramingError, type RawItem } from "../user/reading/framer.ts";

/** A value of a member of an organization: an element of a list, or the whole value of another member. */
export interface OrganizationEntry {
  /** Number of the organization in the file, from 0. */
  readonly organization: number;
  readonly member: string;
  readonly isElement: boolean;
  readonly item: RawItem;
}

type Emit = (entry: OrganizationEntry) => void;

export interface OrganizationFramer {
  push(chunk: Buffer, emit: Emit): void;
  end(): void;
}

interface State {
  readonly collector: Collector;
  depth: number;
  /** Whether the bracket that opened each depth is that of an object; only of the outer depths. */
  readonly isObject: boolean[];
  /** Depth within the list of organizations. */
  base: number | undefined;
  organization: number;
  isInString: boolean;
  isEscaped: boolean;
  isInScalar: boolean;
  name: number[] | undefined;
  isNameNext: boolean;
  lastName: string;
  member: string;
  isInList: boolean;
}

// Depth of the members of an organization in a request to import: dataOrgs, orgs, the organization.
const deepest = 5;
const longestName = 100;

/**
 * Cuts an export of organizations (`{"orgs": […]}`, or within `dataOrgs`) into the values of their members, and lists
 * into their elements, so that an organization with any number of users takes the memory of one of them.
 */
export function createOrganizationFramer(limit: number): OrganizationFramer {
  const state: State = {
    collector: createCollector(limit),
    depth: 0,
    isObject: [],
    base: undefined,
    organization: -1,
    isInString: false,
    isEscaped: false,
    isInScalar: false,
    name: undefined,
    isNameNext: false,
    lastName: "",
    member: "",
    isInList: false,
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
      if (state.depth > 0 || state.isInString) throw new FramingError("it is not JSON: it ends in the middle");
    },
  };
}

interface Position {
  readonly index: number;
  readonly emit: Emit;
}

function step(state: State, chunk: Buffer, { index, emit }: Position): void {
  const code = chunk[index] ?? 0;
  if (code === 0x22) beginString(state, index);
  else if (code === 0x7b || code === 0x5b) open(state, code === 0x7b, index);
  else if (code === 0x7d || code === 0x5d) close(state, chunk, { index, emit });
  else if (code === 0x2c) {
    if (state.isInScalar) finish(state, chunk, { index, emit });
    state.isNameNext = state.isObject[state.depth] === true;
  } else if (code !== 0x3a && code > 0x20) {
    if (state.depth === 0) throw new FramingError("it is not JSON: there is text outside of brackets");
    beginScalar(state, index);
  }
}

/** Whether a value that begins here is an entry. */
const isEntry = ({ base, depth, isInList, collector }: State): boolean =>
  base !== undefined && !collector.isOpen && depth === base + (isInList ? 2 : 1);

function open(state: State, isObject: boolean, index: number): void {
  const { base, depth } = state;
  if (base === undefined && !isObject && depth <= 2 && state.lastName === "orgs") state.base = depth + 1;
  else if (depth === base && isObject) state.organization++;
  else if (base !== undefined && depth === base + 1 && !isObject && !state.collector.isOpen) {
    state.member = state.lastName;
    state.isInList = true;
  } else if (isEntry(state)) beginEntry(state, index);
  state.depth++;
  if (state.depth > deepest) return;
  state.isObject[state.depth] = isObject;
  state.isNameNext = isObject;
}

function close(state: State, chunk: Buffer, { index, emit }: Position): void {
  if (state.depth === 0) throw new FramingError("it is not JSON: there is a closing bracket without an opening one");
  if (state.isInScalar) finish(state, chunk, { index, emit });
  state.depth--;
  state.isNameNext = false;
  const { base, depth, collector } = state;
  if (base === undefined) return;
  if (collector.isOpen && depth === base + (state.isInList ? 2 : 1)) finish(state, chunk, { index: index + 1, emit });
  else if (depth === base + 1) state.isInList = false;
  else if (depth < base) {
    state.base = undefined;
    state.lastName = "";
  }
}

function beginEntry(state: State, index: number): void {
  if (!state.isInList) state.member = state.lastName;
  state.collector.open(index);
}

function beginScalar(state: State, index: number): void {
  if (state.isInScalar || !isEntry(state)) return;
  state.isInScalar = true;
  beginEntry(state, index);
}

function finish(state: State, chunk: Buffer, { index, emit }: Position): void {
  state.isInScalar = false;
  const { organization, member, isInList: isElement } = state;
  emit({ organization, member, isElement, item: state.collector.close(chunk, index) });
}

function beginString(state: State, index: number): void {
  if (state.depth === 0) throw new FramingError("it is not JSON: there is text outside of brackets");
  state.isInString = true;
  if (state.isNameNext && state.isObject[state.depth] === true && state.depth <= deepest) state.name = [];
  else beginScalar(state, index);
}

function stepInString(state: State, code: number): void {
  if (state.isEscaped) state.isEscaped = false;
  else if (code === 0x5c) state.isEscaped = true;
  else if (code === 0x22) {
    state.isInString = false;
    if (state.name === undefined) return;
    state.lastName = Buffer.from(state.name).toString("latin1");
    state.name = undefined;
    state.isNameNext = false;
    return;
  }
  if (state.name !== undefined && state.name.length < longestName) state.name.push(code);
}
