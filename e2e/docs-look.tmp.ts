import { chromium } from "playwright-core";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const only = process.argv[2];
const pages: Record<string,string> = { index: "/docs", token: "/docs/guides/token", tokenep: "/docs/guides/token-endpoint", service: "/docs/service.management.v1.ManagementService", method: "/docs/service.user.v2.UserService/CreateUser", list: "/docs/service.user.v2.UserService/ListUsers", errors: "/docs/guides/errors" };
for (const [name, path] of Object.entries(pages)) { if (only && only !== name) continue;
  for (const [w, scheme] of [[1440, "light"], [1440,"dark"], [390, "light"]] as const) {
    const page = await browser.newPage({ viewport: { width: w, height: 900 }, colorScheme: scheme });
    page.on("console", (m) => console.log(name, m.text()));
    page.on("pageerror", (m) => console.log(name, m.message));
    const r = await page.goto("http://localhost:18472" + path);
    await page.waitForTimeout(300);
    await page.screenshot({ path: `/tmp/ds/${name}-${w}-${scheme}.png` });
    if (scheme==="light" && w===1440) console.log(name, r?.status(), (await r!.body()).length);
    if (name==="method" && w===1440) { await page.keyboard.press("Control+k"); await page.keyboard.type("user.not"); await page.waitForTimeout(800); await page.screenshot({ path: `/tmp/ds/search-${scheme}.png` }); }
    await page.close();
  }
}
await browser.close();
