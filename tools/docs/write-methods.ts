import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../server/src/app/log.ts";
import { startApp } from "../../server/src/app.ts";
import { testConfig } from "../../server/test/support/servers/server.ts";
import { findErrors } from "./find-errors.ts";
import { renderErrors } from "./render-errors.ts";
import { renderMethods } from "./render-methods.ts";

// What methods are refused with is read from the code.
writeFileSync(
  join(import.meta.dirname, "../../server/src/rpc/reference/method-errors.json"),
  renderErrors(await findErrors()),
);

// The methods that a real server has: nothing else knows what is built.
const directory = mkdtempSync(join(tmpdir(), "doorward-docs-"));
const app = await startApp(testConfig({ directory }), { log: createLog({ level: "warn", format: "json" }) });
try {
  writeFileSync(
    join(import.meta.dirname, "../../docs/methods.md"),
    await renderMethods(app.methods, app.earlierMethods),
  );
} finally {
  await app.close();
  rmSync(directory, { recursive: true });
}
