import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { deserialize, serialize } from "node:v8";
import type { DatabaseLocation } from "../../../src/database/index.ts";
import {
  digest,
  dropAtEnd,
  type Ending,
  type Engine,
  hasDatabase,
  makeLocation,
  oneAtATime,
  type Source,
  takeSource,
} from "./databases.ts";

/** A database that was filled once, and what is to be known of its rows. */
export interface Template<Facts> {
  readonly source: Source;
  readonly facts: Facts;
}

/** How a template is made. One name stands for one way. */
export interface Recipe<Facts> {
  readonly name: string;
  readonly engine: Engine;
  /** What the database holds before; all migrations and no rows when not given. */
  readonly base?: () => Promise<Source>;
  /** Fills the database; what is started there has to end with `t`. The facts are plain data. */
  fill(t: Ending, location: DatabaseLocation): Promise<Facts>;
}

const known = new Map<string, Promise<Template<unknown>>>();

/**
 * The template of a recipe, made when it is first asked for: for this process, or for all processes with the same
 * directory in DOORWARD_TEST_TEMPLATES. That is for one run, because templates are not made again when sources change.
 */
export function templateOf<Facts>(recipe: Recipe<Facts>): Promise<Template<Facts>> {
  const key = `${recipe.engine}_${recipe.name}`;
  let template = known.get(key) as Promise<Template<Facts>> | undefined;
  if (template === undefined) {
    const directory = process.env["DOORWARD_TEST_TEMPLATES"];
    template = directory ? findOrMake(recipe, join(directory, key)) : makeOwn(recipe, nameFor(key, process.pid));
    known.set(key, template);
  }
  return template;
}

const nameFor = (key: string, who: string | number): string => `doorward_template_${key}_${who}`;

async function findOrMake<Facts>(recipe: Recipe<Facts>, file: string): Promise<Template<Facts>> {
  const find = (): Template<Facts> | undefined =>
    existsSync(file) ? (deserialize(readFileSync(file)) as Template<Facts>) : undefined;
  const write = (template: Template<Facts>): Template<Facts> => {
    // All at once, so that no other process reads a part of it.
    writeFileSync(`${file}.${process.pid}`, serialize(template), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
    return template;
  };
  // A second one that was made meanwhile is as good as the first.
  const name = nameFor(recipe.name, digest(file));
  if (recipe.engine === "sqlite") return find() ?? write(await make(recipe, name));
  return oneAtATime(async () => {
    const found = find();
    return found !== undefined && (await hasDatabase(name)) ? found : write(await make(recipe, name));
  });
}

async function makeOwn<Facts>(recipe: Recipe<Facts>, name: string): Promise<Template<Facts>> {
  const template = await make(recipe, name);
  dropAtEnd(template.source);
  return template;
}

async function make<Facts>({ engine, base, fill }: Recipe<Facts>, name: string): Promise<Template<Facts>> {
  const hooks: (() => unknown)[] = [];
  const t: Ending = { after: (hook) => void hooks.push(hook as () => unknown) };
  try {
    const location = await makeLocation(t, engine, await base?.());
    const facts = await fill(t, location);
    return { facts, source: await takeSource(location, name) };
  } finally {
    for (const hook of hooks) await hook();
  }
}
