import { Fault } from "../base/fault.ts";

/** A value that both engines store identically: instants are integers, booleans 0 or 1, documents JSON text. */
export type SqlValue = string | number | null;

/** A statement, or a fragment of one, with its values separate from its text. Only this file creates them. */
export interface Sql {
  readonly shape: Shape;
  readonly values: readonly SqlValue[];
  /** The instance whose concurrent reads of this text may be one statement (`byKey`). */
  readonly sharedIn?: string | undefined;
}

type Interpolation = SqlValue | boolean | undefined | Sql;

/**
 * Creates a statement. An interpolated value becomes a parameter (`undefined` is null, a boolean 0 or 1); an
 * interpolated `Sql` becomes part of the text. External text can only become a parameter.
 */
export function sql(strings: TemplateStringsArray, ...interpolations: readonly Interpolation[]): Sql {
  // Loops, because every statement of every request passes through here.
  const values: SqlValue[] = [];
  let shapes: Shape[] | undefined;
  for (let index = 0; index < interpolations.length; index++) {
    const each = interpolations[index];
    if (isSql(each)) {
      shapes ??= new Array<Shape>(index).fill(parameter);
      shapes.push(each.shape);
      for (const value of each.values) values.push(value);
    } else {
      shapes?.push(parameter);
      values.push(toValue(each));
    }
  }
  if (shapes === undefined) return new Statement(plainShape(strings), values);
  const node = follow(nodeOf(strings), shapes);
  return new Statement(shapeOf(node, strings, shapes), values);
}

/** Joins fragments with a separator: `join(conditions, " and ")`. */
export function join(parts: readonly Sql[], separator: string): Sql {
  const strings = ["", ...parts.slice(1).map(() => separator), ""];
  const shapes = parts.map((part) => part.shape);
  const values = parts.flatMap((part) => part.values);
  if (parts.length === 0) return new Statement(empty, []);
  if (parts.length > longestKept) return new Statement(new Shape(weave(strings, shapes), true), values);
  const node = follow(nodeOf(keep(separators, separator, () => ({ separator }))), shapes);
  return new Statement(shapeOf(node, strings, shapes), values);
}

/**
 * Divides rows into those that one statement inserts: powers of two, so that there are few statements, and `join` keeps
 * them.
 */
export function* rowsTogether<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  let size = longestKept;
  for (let begin = 0; begin < rows.length; begin += size) {
    while (size > rows.length - begin) size /= 2;
    yield rows.slice(begin, begin + size);
  }
}

/**
 * Returns a list of parameters for `in (…)`, and only for that. It is filled up to a power of two by repeating the last
 * value, so that lists of any length make few different statements. An empty list contains nothing.
 */
export function list(values: readonly SqlValue[]): Sql {
  const last = values.at(-1);
  if (last === undefined) return new Statement(listShape(0), []);
  const size = 2 ** Math.ceil(Math.log2(values.length));
  const filled = [...values, ...new Array<SqlValue>(size - values.length).fill(last)];
  return new Statement(listShape(size), filled);
}

/**
 * Returns a constant of the program as part of the text (a column, a direction). The type requires a literal, never
 * input.
 */
export function text<const Literal extends string>(literal: string extends Literal ? never : Literal): Sql {
  return keep(constants, literal, () => new Statement(new Shape([literal]), []));
}

/**
 * Marks a read that finds few rows by their keys, however much is stored, and that many requests make at once. On
 * PostgreSQL those of one text and one instance that come together become one statement (`postgres/shared-reads.ts`,
 * docs/design/067). Its values are strings and integers.
 */
export function byKey(instanceId: string, { shape, values }: Sql): Sql {
  return new Statement(shape, values, instanceId);
}

/**
 * The text of a statement without its values. There is one object per text, so that engines can cache what they derive
 * from it.
 */
class Shape {
  readonly pieces: readonly string[];
  /** Whether it consists of others: of such there is any number. */
  readonly isComposed: boolean;
  #sqlite: string | undefined;
  #postgres: string | undefined;
  /**
   * How often PostgreSQL executed it, and the name of its prepared statement; maintained by `postgres/statements.ts`.
   */
  uses = 0;
  preparedName: string | undefined;

  constructor(pieces: readonly string[], isComposed = false) {
    this.pieces = pieces;
    this.isComposed = isComposed;
  }

  /** With parameters as `?`, and the engine's spelling of some words. */
  get sqlite(): string {
    this.#sqlite ??= toSqliteWords(this.pieces.join("?"));
    return this.#sqlite;
  }

  /** With parameters as `$1`, `$2` …, and the engine's spelling of some words. */
  get postgres(): string {
    this.#postgres ??= this.postgresWith((index) => `$${index}`);
    return this.#postgres;
  }

  /** With other words for the parameters, which are counted from 1. */
  postgresWith(parameterAt: (index: number) => string): string {
    return toPostgresWords(this.pieces.reduce((before, piece, index) => `${before}${parameterAt(index)}${piece}`));
  }
}

/**
 * SQLite prepares a statement anew with each execution when its plan rests on the value of a parameter, as a limit does
 * that is nothing but one.
 */
function toSqliteWords(statement: string): string {
  return statement.replace(/\bstrpos\s*\(/g, "instr(").replace(/\b(limit|offset) \?/g, "$1 (? + 0)");
}

/**
 * `lower()` supports only ASCII under the collation of our text columns on PostgreSQL; `doorward_lower` (migration 1)
 * supports Unicode, like the function that we define for SQLite.
 */
function toPostgresWords(statement: string): string {
  return statement.replace(/\blower\s*\(/g, "doorward_lower(");
}

// A class, so that external data (JSON) cannot pass for a fragment of a statement.
class Statement implements Sql {
  readonly shape: Shape;
  readonly values: readonly SqlValue[];
  readonly sharedIn: string | undefined;

  constructor(shape: Shape, values: readonly SqlValue[], sharedIn?: string) {
    this.shape = shape;
    this.values = values;
    this.sharedIn = sharedIn;
  }
}

/** Known compositions, by the shapes they consist of, so that a frequent statement is rendered once. */
interface Node {
  shape?: Shape;
  next?: Map<Shape, Node>;
}

const parameter = new Shape([]);
const empty = new Shape([""]);
const constants = new Map<string, Statement>();
const lists = new Map<number, Shape>();
const separators = new Map<string, { readonly separator: string }>();
const plain = new WeakMap<TemplateStringsArray, Shape>();
// Combinations of search conditions are unlimited; beyond this number the cache is cleared.
const mostNodes = 20_000;
const mostCharacters = 4_000_000;
const longestKept = 64;
let nodes = new WeakMap<object, Node>();
let nodeCount = 0;
let characters = 0;

function plainShape(strings: TemplateStringsArray): Shape {
  return keep(plain, strings, () => new Shape(strings));
}

function listShape(size: number): Shape {
  return keep(lists, size, () => new Shape(size === 0 ? ["(null)"] : ["(", ...commas(size - 1), ")"]));
}

const commas = (count: number): string[] => new Array<string>(count).fill(",");

function nodeOf(key: object): Node {
  return keep(nodes, key, () => ({}));
}

interface Keeper<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

function keep<Key, Value>(keeper: Keeper<Key, Value>, key: Key, make: () => Value): Value {
  const kept = keeper.get(key);
  if (kept !== undefined) return kept;
  const made = make();
  keeper.set(key, made);
  return made;
}

function follow(start: Node, shapes: readonly Shape[]): Node {
  let node = start;
  for (const shape of shapes) {
    node.next ??= new Map();
    node = keep(node.next, shape, () => {
      nodeCount++;
      return {};
    });
  }
  if (nodeCount > mostNodes || characters > mostCharacters) {
    nodes = new WeakMap();
    nodeCount = 0;
    characters = 0;
  }
  return node;
}

function shapeOf(node: Node, strings: readonly string[], shapes: readonly Shape[]): Shape {
  if (node.shape === undefined) {
    node.shape = new Shape(weave(strings, shapes), true);
    for (const piece of node.shape.pieces) characters += piece.length;
  }
  return node.shape;
}

function weave(strings: readonly string[], shapes: readonly Shape[]): readonly string[] {
  const pieces: string[] = [strings[0] ?? ""];
  shapes.forEach((shape, index) => {
    const after = strings[index + 1] ?? "";
    if (shape === parameter) {
      pieces.push(after);
      return;
    }
    pieces[pieces.length - 1] += shape.pieces[0] ?? "";
    pieces.push(...shape.pieces.slice(1));
    pieces[pieces.length - 1] += after;
  });
  return pieces;
}

function isSql(value: unknown): value is Sql {
  return value instanceof Statement;
}

function toValue(value: Interpolation): SqlValue {
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") return refuseNul(value);
  if (typeof value === "object" && value !== null) throw new TypeError("an object cannot be a value of a statement");
  return value;
}

// PostgreSQL has no such character and SQLite would store it. Transports reject it first, because they know the field.
function refuseNul(value: string): string {
  if (value.includes("\0")) throw new Fault("invalid_argument", "text.nul_character");
  return value;
}
