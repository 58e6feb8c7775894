import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { startGallery } from "../../server/test/pages/gallery-server.ts";
import { browserTest } from "../support/browser.ts";
import { startChromiumServer } from "../support/chromium-server.ts";
import { addAuthenticator } from "../support/virtual-authenticator.ts";

browserTest(
  "each client of a shared Chromium has its own contexts and authenticators, and closes without affecting others",
  async (t) => {
    const { origin } = await startGallery(t);
    const server = await startChromiumServer();
    t.after(() => server.close());
    const [one, other] = [await chromium.connect(server.endpoint), await chromium.connect(server.endpoint)];
    const contexts = [await one.newContext(), await other.newContext()] as const;
    assert.deepEqual([one.contexts().length, other.contexts().length], [1, 1]);
    const url = origin.replace("127.0.0.1", "localhost");
    await contexts[0].addCookies([{ name: "whose", value: "one", url }]);
    assert.deepEqual(await contexts[1].cookies(), []);
    const page = await contexts[1].newPage();
    await page.goto(`${url}/login-name.default.en`);
    await one.close();
    assert.equal(other.isConnected(), true);
    const authenticator = await addAuthenticator(page);
    assert.equal(await authenticator.countCredentials(), 0);
    const said = page.waitForEvent("console");
    await page.evaluate(() => document.body.append(Object.assign(new Image(), { src: "http://closed.example/a.png" })));
    assert.match((await said).text(), /Content Security Policy/);
    await other.close();
  },
);

browserTest("a client is notified when its Chromium has ended", async () => {
  const server = await startChromiumServer();
  const browser = await chromium.connect(server.endpoint);
  await server.close();
  await assert.rejects(browser.newContext(), /closed/);
  assert.equal(browser.isConnected(), false);
});
