// Takes the pictures of docs/screens from the gallery: node e2e/screens.ts
// They were then reduced to 256 colours, those of the themes among them, which keeps each below 60 kB.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startGallery } from "../server/test/pages/gallery-server.ts";
import { ensureChromium } from "./support/chromium.ts";

const folder = fileURLToPath(new URL("../docs/screens/", import.meta.url));
const wide = { width: 960, height: 640 };
const small = { width: 360, height: 640 };
// The pages that people see most are shown in both sizes, the others as they are on a phone.
const both = ["start.signed-in", "login-name.default", "password.error", "setup.default", "error.default"];
const others = [
  ...["password.default", "password-change.default", "choose-account.default", "continue.default", "signed-in.default"],
  ...["logout.long", "logged-out.default", "inbox.default"],
  ...["device-code.default", "device-confirm.default", "device-done.default", "register.default"],
  ...["login-name.providers", "password-code.default", "passkey.default"],
  ...[
    "second-factor.default",
    "second-factor.sent",
    "methods.default",
    "add-factor.offer",
    "add-factor.totp",
    "key.default",
  ],
  ...["login-name.branded", "password.branded", "login-name.unreadable", "password.unreadable"],
];

const found = await ensureChromium();
if (!found.isThere) throw new Error(found.reason);
const ends: (() => void)[] = [];
const { origin } = await startGallery({ after: (end) => void ends.push(end) });
const browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
mkdirSync(folder, { recursive: true });

const shots = [
  ...both.flatMap((page) => [
    { page, size: "wide", viewport: wide },
    { page, size: "small", viewport: small },
  ]),
  ...others.map((page) => ({ page, size: "small", viewport: small })),
];
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
