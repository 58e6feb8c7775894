import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { helpOf, leavesOf, renderCommands } from "../../../tools/docs/render-commands.ts";
import { renderConfiguration } from "../../../tools/docs/render-configuration.ts";
import { renderLanguages } from "../../../tools/docs/render-languages.ts";
import { createProgram } from "../../src/cli/program.ts";

const page = (name: string): string => readFileSync(join(import.meta.dirname, "../../../docs", name), "utf8");

test("docs/commands.md says what --help says (npm run docs:pages writes it)", () => {
  assert.equal(page("commands.md"), renderCommands(createProgram()), "docs/commands.md is stale: npm run docs:pages");
});

test("docs/configuration.md has the settings that there are (npm run docs:pages writes it)", () => {
  assert.equal(page("configuration.md"), renderConfiguration(), "docs/configuration.md is stale: npm run docs:pages");
});

test("docs/glossary-of-languages.md has the terms of the texts (npm run docs:pages writes it)", () => {
  const found = page("glossary-of-languages.md");
  assert.equal(found, renderLanguages(), "docs/glossary-of-languages.md is stale: npm run docs:pages");
  assert.doesNotMatch(found, /undefined/, "a term is read from a text that does not exist");
  assert.match(found, /\n\| Security key \| Sicherheitsschlüssel \|\n/);
});

test("every command has a description, examples that name it, and --json", () => {
  for (const command of leavesOf(createProgram())) {
    const help = helpOf(command);
    const name = [command.parent?.parent && command.parent.name(), command.name()].filter(Boolean).join(" ");
    assert.ok(command.description().length > 10, `${name} has no description`);
    assert.match(help, /\nExamples:\n {2}# /, `${name} has no examples`);
    assert.ok(help.slice(help.indexOf("Examples:")).includes(`doorward ${name}`), `no example of ${name} is one`);
    assert.match(help, /--json/, `${name} has no --json`);
  }
});

test("every flag of an example exists", () => {
  for (const command of leavesOf(createProgram())) {
    const help = helpOf(command);
    const examples = help
      .slice(help.indexOf("Examples:"))
      .split("\n")
      .filter((line) => / doorward /.test(line) && !/^ *#/.test(line));
    for (const line of examples) {
      const ours = line.slice(line.indexOf("doorward "));
      for (const [flag] of ours.matchAll(/(?<= )--[a-z-]+/g)) {
        const known = command.options.some(({ long }) => long === flag);
        assert.ok(known, `${line.trim()}: ${command.name()} has no ${flag}`);
      }
    }
  }
});
