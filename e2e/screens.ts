// Takes the pictures of docs/screens from the gallery: node e2e/screens.ts
// They were then reduced to 256 colors, those of the themes among them, which keeps each below 60 kB.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startGallery } from "../server/test/pages/gallery-server.ts";
import { ensureChromium } from "./support/chromium.ts";

const folder = fileURLToPath(new URL("../docs/screens/", import.meta.url));
const wide = { width: 960, height: 640 };
const small = { width: 360, height: 640 };
// Every page is shown as it mostly is, on a phone. Those that people see most in a window too.
const both = [
  "start.signed-in",
  "login-name.default",
  "password.error",
  "setup.default",
  "error.default",
  "account-home.default",
  "account-methods.default",
];
const states = [
  "login-name.providers",
  "login-name.branded",
  "password.branded",
  "login-name.unreadable",
  "password.unreadable",
  "second-factor.sent",
  "add-factor.offer",
  "add-factor.totp",
  "add-factor.code",
  "account-otp.code",
  "logout.long",
];

const found = await ensureChromium();
if (!found.isThere) throw new Error(found.reason);
const ends: (() => void)[] = [];
const { origin, pages } = await startGallery({ after: (end) => void ends.push(end) });
const browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
mkdirSync(folder, { recursive: true });

const usual = pages
  .filter(({ language, state }) => language === "en" && state === "default")
  .map(({ view }) => `${view}.default`);
const shots = [...new Set([...both, ...usual, ...states])].flatMap((page) => [
  { page, size: "small", viewport: small },
  ...(both.includes(page) ? [{ page, size: "wide", viewport: wide }] : []),
]);
for (const { page: name, size, viewport } of shots) {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({ viewport, colorScheme });
    await page.goto(`${origin}/${name}.en`);
    await page.screenshot({ path: `${folder}${name.replace(".", "-")}-${size}-${colorScheme}.png`, fullPage: true });
    await page.close();
  }
}
await browser.close();
for (const end of ends) end();
