import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findErrors } from "../docs/find-errors.ts";
import { renderErrors } from "../docs/render-errors.ts";

const stored = join(import.meta.dirname, "../../server/src/rpc/reference/method-errors.json");

test("the reference lists the errors that are in the code of each method (npm run docs:methods)", async () => {
  const found = await findErrors();
  const errors = found.methods.get("service.project.v2.ProjectService/CreateProject") ?? new Set();
  for (const error of ["already_exists project.name_taken", "invalid_argument project.name_invalid"]) {
    assert.ok(errors.has(error), error);
  }
  assert.equal(errors.has("already_exists user.id_taken"), false);
  // A handler beside those that a mapped type brings.
  const beside = found.methods.get("service.management.v1.ManagementService/ListProjects") ?? new Set();
  assert.ok(beside.has("invalid_argument page.limit_exceeded"));
  const [before, now] = [readFileSync(stored, "utf8"), renderErrors(found)];
  assert.deepEqual(differences(before, now), [], "npm run docs:methods");
  assert.equal(now === before, true, "npm run docs:methods: only the form differs");
});

/** The errors of each method that are in one of two files only; with the whole files a failure would be unreadable. */
function differences(before: string, now: string): string[] {
  const [left, right] = [read(before), read(now)];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name) => {
    const old = left.get(name) ?? new Set<string>();
    const found = right.get(name) ?? new Set<string>();
    return [
      ...[...found.difference(old)].map((error) => `${name} lacks ${error}`),
      ...[...old.difference(found)].map((error) => `${name} has ${error} too much`),
    ];
  });
}

function read(text: string): Map<string, ReadonlySet<string>> {
  const { errors, general, methods } = JSON.parse(text) as {
    errors: string[];
    general: number[];
    methods: Record<string, number[]>;
  };
  return new Map(
    Object.entries({ "every method": general, ...methods }).map(([name, positions]) => [
      name,
      new Set(positions.map((position) => errors[position] ?? "")),
    ]),
  );
}
