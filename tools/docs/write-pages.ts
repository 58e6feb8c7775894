import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../../server/src/cli/program.ts";
import { renderCommands } from "./render-commands.ts";
import { renderConfiguration } from "./render-configuration.ts";
import { renderLanguages } from "./render-languages.ts";

// Pages that need no server to be written.
const docs = join(import.meta.dirname, "../../docs");
writeFileSync(join(docs, "commands.md"), renderCommands(createProgram()));
writeFileSync(join(docs, "configuration.md"), renderConfiguration());
writeFileSync(join(docs, "glossary-of-languages.md"), renderLanguages());
