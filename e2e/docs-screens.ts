// Takes the pictures of docs/screens that show /docs, from a server of its own: node e2e/docs-screens.ts
// They were then reduced to 256 colors like the others.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createLog } from "../server/src/app/log.ts";
import { startApp } from "../server/src/app.ts";
import { testConfig } from "../server/test/support/servers/server.ts";
import { ensureChromium } from "./support/chromium.ts";

const folder = fileURLToPath(new URL("../docs/screens/", import.meta.url));
const pages = {
  overview: "/docs",
  service: "/docs/service.project.v2.ProjectService",
  method: "/docs/service.user.v2.UserService/CreateUser",
};
const sizes = { wide: { width: 960, height: 900 }, small: { width: 360, height: 900 } };

const found = await ensureChromium();
if (!found.isThere) throw new Error(found.reason);
const directory = mkdtempSync(join(tmpdir(), "doorward-screens-"));
const port = 8080;
const config = testConfig({ directory }, { port, baseUrl: `http://localhost:${port}` });
const app = await startApp(config, { log: createLog({ level: "warn", format: "json" }) });
const browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
for (const [name, path] of Object.entries(pages)) {
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ viewport, colorScheme });
      await page.goto(config.baseUrl + path);
      await page.screenshot({ path: `${folder}docs-${name}-${size}-${colorScheme}.png` });
      await page.close();
    }
  }
}
await browser.close();
await app.close();
rmSync(directory, { recursive: true });
