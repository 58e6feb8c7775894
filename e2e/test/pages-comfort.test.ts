import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { relayScript, render } from "../../server/src/html/index.ts";
import { startGallery } from "../../server/test/pages/gallery-server.ts";
import { pageContext } from "../../server/test/pages/support/context.ts";
import type { GalleryView } from "../../server/test/pages/support/gallery-view.ts";
import { galleryViews } from "../../server/test/pages/support/gallery-views.ts";
import { hostileTexts, withTexts } from "../../server/test/pages/support/hostile.ts";
import { browserTest } from "../support/browser.ts";

/** The first form that was sent, once it has come. */
async function firstOf(posts: readonly string[]): Promise<URLSearchParams> {
  for (let waited = 0; posts.length === 0 && waited < 5000; waited += 20) await wait(20);
  return new URLSearchParams(posts[0]);
}

browserTest("a password can be shown, and is hidden again when the form is submitted", async (t, browser) => {
  const { origin, posts } = await startGallery(t);
  const page = await browser.newPage();
  await page.goto(`${origin}/password.default.en`);
  const input = page.getByLabel("Password", { exact: true });
  await input.fill("open sesame");
  await page.getByRole("button", { name: "Show password" }).click();
  assert.equal(await input.getAttribute("type"), "text");
  await page.getByRole("button", { name: "Hide password" }).waitFor();
  await input.press("Enter");
  assert.equal(await input.getAttribute("type"), "password");
  await page.getByRole("button", { name: "Show password" }).waitFor();
  const sent = await firstOf(posts);
  assert.equal(sent.get("password"), "open sesame");
  assert.equal(sent.get("login_name"), "ada@acme.example");
  await page.close();
});

browserTest("a form is sent once, however often its button is pressed", async (t, browser) => {
  const { origin, posts } = await startGallery(t);
  const page = await browser.newPage();
  // A page that asks for nothing by itself, as one with passkeys does.
  await page.goto(`${origin}/login-name.error.en`);
  const button = page.getByRole("button", { name: "Continue" });
  await page.evaluate(() => {
    for (let press = 0; press < 5; press++) document.querySelector<HTMLButtonElement>("button[type=submit]")?.click();
  });
  await firstOf(posts);
  // Time for a second one to come, if there were one.
  await page.waitForTimeout(200);
  assert.equal(posts.length, 1);
  assert.equal(await button.getAttribute("aria-disabled"), "true");
  await page.close();
});

browserTest(
  "the rules of a new password are ticked while it is typed, counting characters and not bytes",
  async (t, browser) => {
    const { origin } = await startGallery(t);
    const page = await browser.newPage();
    await page.goto(`${origin}/password-change.error.en`);
    const met = (): Promise<(string | undefined)[]> =>
      page.$$eval("li.met", (items) => items.map((item) => (item as HTMLElement).dataset["rule"]));
    const input = page.getByLabel("New password", { exact: true });
    for (const [password, expected] of [
      ["", []],
      ["ab", ["lower_case"]],
      ["äÖ1", ["upper_case", "lower_case", "number"]],
      ["Correct horse, 12", ["length", "upper_case", "lower_case", "number", "symbol"]],
      ["🐴🐴🐴🐴🐴🐴🐴🐴🐴🐴🐴", ["symbol"]],
      ["🐴🐴🐴🐴🐴🐴🐴🐴🐴🐴🐴🐴", ["length", "symbol"]],
    ] as const) {
      await input.fill(password);
      assert.deepEqual(await met(), expected, password);
    }
    await page.close();
  },
);

browserTest("an error leaves its input when that is corrected, and nothing moves", async (t, browser) => {
  const { origin } = await startGallery(t);
  const page = await browser.newPage();
  await page.goto(`${origin}/setup.error.en`);
  const email = page.getByLabel("Email address");
  const line = page.locator("#email-error");
  const height = (): Promise<number> => page.evaluate(() => document.body.scrollHeight);
  assert.equal(await email.getAttribute("aria-invalid"), "true");
  assert.match((await email.getAttribute("aria-describedby")) ?? "", /email-error/);
  const before = await height();
  await email.fill("ada@mail.example");
  assert.equal(await email.getAttribute("aria-invalid"), null);
  assert.doesNotMatch((await email.getAttribute("aria-describedby")) ?? "", /email-error/);
  assert.equal(await line.isVisible(), false);
  assert.equal(await height(), before);
  assert.equal((await page.locator("[aria-invalid]").count()) > 0, true, "the others are still to be corrected");
  await page.close();
});

browserTest(
  "the setup code comes out of the link and leaves the address; an error's link is not a code",
  async (t, browser) => {
    const { origin, posts } = await startGallery(t);
    const page = await browser.newPage();
    await page.goto(`${origin}/setup.default.en#8F3K-2XQM`);
    await page.getByText("The setup code was taken from your link.").waitFor();
    assert.equal(page.url(), `${origin}/setup.default.en`);
    assert.equal(await page.getByLabel("Setup code").isVisible(), false);
    await page.getByRole("button", { name: "Create administrator" }).click();
    await page.waitForTimeout(100);
    assert.equal(new URLSearchParams(posts[0]).get("setup_code"), "8F3K-2XQM");

    await page.goto(`${origin}/setup.error.en`);
    await page.getByRole("link", { name: "Enter your email address." }).click();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "email");
    assert.equal(await page.getByLabel("Setup code").isVisible(), true);
    await page.close();
  },
);

browserTest(
  "nothing is missing without JavaScript: no dead button, the code is typed, a new password is entered twice",
  async (t, browser) => {
    const { origin, posts } = await startGallery(t);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/setup.default.en#8F3K-2XQM`);
    assert.equal(await page.locator(".reveal:visible").count(), 0);
    await page.getByLabel("Setup code").fill("8F3K-2XQM");
    await page.getByLabel("Password", { exact: true }).fill("open sesame and more");
    await page.getByLabel("Confirm new password").fill("open sesame and more");
    await page.getByRole("button", { name: "Create administrator" }).click();
    await page.waitForTimeout(100);
    const sent = new URLSearchParams(posts[0]);
    assert.equal(sent.get("setup_code"), "8F3K-2XQM");
    assert.equal(sent.get("new_password_repeated"), "open sesame and more");

    await page.goto(`${origin}/password.error.en`);
    assert.match(await page.title(), /^Error: /);
    const box = await page.getByRole("alert").boundingBox();
    assert.ok(box !== null && box.height > 0);
    await context.close();
  },
);

browserTest(
  "the seconds to another code are counted down, and nothing moves when they are over",
  async (t, browser) => {
    const { origin } = await startGallery(t);
    const page = await browser.newPage();
    await page.clock.install();
    await page.goto(`${origin}/second-factor.sent.en`);
    const hint = page.locator("[data-wait]");
    const other = page.getByRole("link", { name: "Choose another method" });
    const box = await other.boundingBox();
    const left = async () => Number(/in (\d+) s/.exec((await hint.textContent()) ?? "")?.[1]);
    const first = await left();
    assert.ok(first > 15 && first <= 23, String(first));
    await page.clock.runFor(3000);
    const later = await left();
    assert.ok(later <= first - 3 && later > 5, String(later));
    await page.clock.runFor(25_000);
    assert.equal(await hint.isVisible(), false);
    assert.deepEqual(await other.boundingBox(), box);
    await page.close();
  },
);

browserTest(
  "recovery codes are copied and downloaded, keys and references copied; without script no such button is there",
  async (t, browser) => {
    const { origin } = await startGallery(t);
    const context = await browser.newContext({
      permissions: ["clipboard-read", "clipboard-write"],
      acceptDownloads: true,
    });
    const page = await context.newPage();
    const address = (name: string) => `${origin}/${name}`.replace("127.0.0.1", "localhost");
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.goto(address("account-recovery-codes.codes.en"));
    const codes = await page.locator("#codes code").allTextContents();
    assert.ok(codes.length > 1);
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
    assert.equal(await copied(), codes.join("\n"));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download", exact: true }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "recovery-codes.txt");
    assert.equal(await text(await download.createReadStream()), codes.join("\n"));
    assert.equal(await page.getByRole("button", { name: "Print", exact: true }).count(), 1);
    for (const [name, expected] of [
      ["add-factor.totp.en", /^[A-Z2-7]{16,}$/],
      ["error.default.en", /^\S+$/],
    ] as const) {
      await page.goto(address(name));
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
      assert.match(await copied(), expected, name);
    }
    await context.close();
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await still.goto(address("account-recovery-codes.codes.en"));
    assert.equal(await still.locator(".keep:visible").count(), 0);
    await plain.close();
  },
);

browserTest(
  "a browser without passkey support is told so where one is needed, and its forms still work",
  async (t, browser) => {
    const { origin, posts } = await startGallery(t);
    const page = await browser.newPage();
    const notice = page.locator("[data-passkey-needed]");
    await page.goto(`${origin}/key.default.en`);
    assert.equal(await notice.isVisible(), false);
    await page.addInitScript("delete window.PublicKeyCredential");
    for (const view of ["key", "second-factor", "passkey", "account-key", "add-factor"]) {
      const state = { "second-factor": "key", "add-factor": "key" }[view] ?? "default";
      await page.goto(`${origin}/${view}.${state}.en`);
      assert.ok(await notice.isVisible(), view);
      assert.match((await notice.textContent()) ?? "", /browser that supports passkeys/);
    }
    await page.goto(`${origin}/key.default.en`);
    await page.getByRole("button", { name: "Continue" }).click();
    assert.equal((await firstOf(posts)).get("credential"), "");
    await page.close();
  },
);

browserTest("the only wrong field has the focus, and several errors are read first", async (t, browser) => {
  const { origin } = await startGallery(t);
  const page = await browser.newPage();
  const focused = (): Promise<string | undefined> =>
    page.evaluate(() => document.activeElement?.id || document.activeElement?.className);
  await page.goto(`${origin}/login-name.default.en`);
  assert.equal(await focused(), "login_name");
  await page.goto(`${origin}/password.error.en`);
  assert.equal(await focused(), "password");
  await page.goto(`${origin}/setup.error.en`);
  assert.equal(await focused(), "alert");
  await page.close();
});

browserTest("the account has its menu and the end of the session at the top of a phone", async (t, browser) => {
  const { origin } = await startGallery(t);
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false });
  const page = await context.newPage();
  for (const language of ["en", "ar"]) {
    await page.goto(`${origin}/account-home.default.${language}`);
    const menu = page.locator("nav").first();
    assert.equal(await menu.isVisible(), false, language);
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;
    assert.ok((await top(".bar a")) < 60 && (await top("h1")) < 150, language);
    await page.locator(".menu").press("Enter");
    assert.equal(await menu.isVisible(), true, language);
    await page.keyboard.press("Tab");
    assert.equal(await menu.locator("a:focus").count(), 1, "the list follows its button");
    await page.keyboard.press("Escape");
    assert.equal(await menu.isVisible(), false, language);
    assert.equal(await page.locator(".menu:focus").count(), 1);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.equal(await page.locator("nav").first().isVisible(), true);
  assert.equal(await page.locator(".menu").isVisible(), false);
  await context.close();
});

browserTest(
  "times are in the browser's zone, with how long ago they were, and in UTC without script",
  async (t, browser) => {
    const { origin } = await startGallery(t);
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ timezoneId: "Asia/Tokyo", javaScriptEnabled });
      const page = await context.newPage();
      if (javaScriptEnabled) await page.clock.setFixedTime("2026-11-21T17:10:00Z");
      for (const view of ["account-sessions", "account-activity", "device-confirm", "error", "inbox"]) {
        await page.goto(`${origin}/${view}.default.en`);
        const time = page.locator("time").first();
        assert.equal(await time.getAttribute("datetime"), "2026-11-21T14:05Z", view);
        const utc = "November 21, 2026 at 2:05 PM UTC";
        const local = "November 21, 2026 at 11:05 PM";
        assert.equal(await time.textContent(), javaScriptEnabled ? `${local} (3 hours ago)` : utc, view);
        assert.equal(await time.getAttribute("title"), javaScriptEnabled ? utc : null, view);
        const named = `End Safari on iPhone, signed in ${javaScriptEnabled ? local : utc}`;
        if (view === "account-sessions") await page.getByRole("button", { name: named, exact: true }).waitFor();
      }
      await context.close();
    }
  },
);

// To a browser, pages that follow one another are one document: what a page opens and does not close takes the next
// one's heading away.
const viewsToADocument = 10;

/** Returns a page with every text changed that another user may have written. */
function hostilePage(shown: GalleryView, hostile: string): string {
  const change = (model: unknown): unknown => withTexts(model, (text) => `${text}${hostile}`);
  // The page that posts itself would be gone before the test looks at it.
  const html = render(shown.render(pageContext("en"), change)).replace(`<script>${relayScript}</script>`, "");
  // Our own style sheets and modules are not under test here, and every page would request them.
  return html.replaceAll(/<(?:link|script) [^>]*\/ui\/assets\/[^>]*>/g, "");
}

/** Runs in the page: shows each document in a frame of its own, with scripts, and counts what none of our pages has. */
function countForeign(documents: readonly string[]): Promise<{ foreign: number; headings: number }[]> {
  const foreign =
    "main img:not(.qr, .avatar, .client-logo img), main script, main svg:not(.icon, .mark), [onfocus], [onload], [onerror]";
  const shown = documents.map(async (html) => {
    const frame = Object.assign(document.createElement("iframe"), { srcdoc: html });
    await new Promise<void>((resolve) => {
      frame.addEventListener("load", () => resolve());
      document.body.append(frame);
    });
    const count = (selector: string) => frame.contentDocument?.querySelectorAll(selector).length ?? -1;
    const counted = { foreign: count(foreign), headings: count("h1") };
    frame.remove();
    return counted;
  });
  return Promise.all(shown);
}

browserTest(
  "texts from other users are inert in a browser: they cause no dialogs, requests or elements",
  async (_t, browser) => {
    // Scripts are allowed here, so that only the escaping keeps them from running.
    const page = await browser.newPage();
    const noticed: string[] = [];
    page.on("dialog", (dialog) => {
      noticed.push(dialog.message());
      void dialog.dismiss();
    });
    await page.route("**/*", (route) => {
      if (!/\/ui\/assets\/|\/avatars\/[\w.]+$|hostile\.test\/$/.test(route.request().url()))
        noticed.push(route.request().url());
      return route.fulfill({ status: 200, contentType: "text/html", body: "" });
    });
    await page.goto("http://hostile.test/");
    for (let first = 0; first < galleryViews.length; first += viewsToADocument) {
      const shown = galleryViews.slice(first, first + viewsToADocument);
      const documents = hostileTexts.map((hostile) => shown.map((view) => hostilePage(view, hostile)).join("\n"));
      assert.deepEqual(
        await page.evaluate(countForeign, documents),
        documents.map(() => ({ foreign: 0, headings: shown.length })),
        shown.map(({ view, state }) => `${view}.${state}`).join(", "),
      );
    }
    assert.deepEqual(noticed, []);
    await page.close();
  },
);
