import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { test } from "node:test";

const sources = new URL("../../src/", import.meta.url);

// The tables with rows that units of work share (`rowLock(tx, "share")`) and others want alone.
const tables = "(organizations|projects|user_groups|applications|users|consents)";
const locking = new RegExp(`\\b(update|delete from) ${tables}\\b|\\bfrom ${tables}\\b[^;]*\\browLock\\(`);

/** Statements without the condition, by a part of their text, and why. */
const without: Readonly<Record<string, string>> = {
  "set email_key =": "a step of a migration",
  "set username_key = ${key}": "a step of a migration",
  "set username_key = ${usernameKey}": "a step of a migration",
  "preferred_login_name = ${shown}": "names of many users, in an organization that is held",
  "preferred_login_name = username ||": "names of many users, in an organization that is held",
  "set told_of_domain": "many users, and nothing of them is asked for afterwards",
  "sign_in_epoch = sign_in_epoch + 1": "many users; it takes their turns before (`takeTurns`)",
  "delete from users": "many users, who are held",
  "users.user_id in ${list(userIds)}": "many users; it takes their turns before (`takeTurns`)",
  "user_id in ${list(userIds.slice(":
    "any number of users of a group; one unit at a time in an organization (`takeTurn`)",
  "project_id in ${list(ordered)}": "many projects; it takes their turns before (`takeTurns`)",
  'select user_id as "userId" from consents': "many consents of a client that is changed or deleted",
  "client_id = ${clientId} and user_id in ${list(userIds)}": "the same",
};

test("each statement that locks a row of these tables takes its turn at it", async () => {
  const unused = new Set(Object.keys(without));
  const missing: string[] = [];
  for await (const name of glob("**/*.store.ts", { cwd: sources })) {
    for (const statement of statementsOf(readFileSync(new URL(name, sources), "utf8"))) {
      if (!locking.test(statement) || statement.includes("inTurn(")) continue;
      const reason = Object.keys(without).find((part) => statement.includes(part));
      if (reason === undefined) missing.push(`${name}: ${statement}`);
      else unused.delete(reason);
    }
  }
  assert.deepEqual(missing, []);
  assert.deepEqual([...unused], []);
});

/** Shared rows without a turn, by a part of the statement, and why those who want them alone are not kept from them. */
const shared: Readonly<Record<string, string>> = {
  "user_id in ${list(userIds.slice(": "one unit at a time in an organization (`takeTurn`)",
  "project_id in ${list(ordered)}": "many projects; it takes their turns before (`takeTurns`)",
  "from project_grants": "its project is held before, in turn",
  "from identity_providers": "those of the scope itself: a unit has the organization alone, or acts for the instance",
  "from targets": "only administrators of the instance share them",
  "from quotas": "a process shares the row once every few seconds, for one statement",
  "from scripts": "the unit has their organization alone",
};

test("each statement that shares rows takes its turn, or it is known why it needs none", async () => {
  const unused = new Set(Object.keys(shared));
  const missing: string[] = [];
  for await (const name of glob("**/*.store.ts", { cwd: sources })) {
    for (const statement of statementsOf(readFileSync(new URL(name, sources), "utf8"))) {
      if (!/rowLock\(\w+, "share"\)/.test(statement) || statement.includes("inTurn(")) continue;
      const reason = Object.keys(shared).find((part) => statement.includes(part));
      if (reason === undefined) missing.push(`${name}: ${statement}`);
      else unused.delete(reason);
    }
  }
  assert.deepEqual(missing, []);
  assert.deepEqual([...unused], []);
});

/** The statements of a source, from the tag to the end of the call; fragments in them belong to them. */
function statementsOf(source: string): string[] {
  return source
    .split(/\b(?:tx|own|reader)\.(?:all|maybe|run|write)\b|\byield\b/)
    .slice(1)
    .map((rest) => rest.slice(0, endOf(rest)));
}

// Statements end with the first "`)" or "`;" after which no fragment goes on.
function endOf(rest: string): number {
  let depth = 0;
  for (let index = 0; index < rest.length; index++) {
    if (rest.startsWith("${", index)) depth++;
    else if (rest[index] === "}" && depth > 0) depth--;
    else if (depth === 0 && /^`[);,]/.test(rest.slice(index, index + 2))) return index;
  }
  return rest.length;
}
