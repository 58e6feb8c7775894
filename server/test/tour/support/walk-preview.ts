import assert from "node:assert/strict";
import { loginPages } from "../../../src/domain/login-text/login-page.ts";
import { ownerOf } from "../../account/support/account.ts";
import { appoint, sessionOf } from "../../support/people/people.ts";
import type { Tour } from "./tour.ts";

const framed = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "iframe" };

/** Looks at what the console shows of pages and messages, with texts that an administrator might write. */
export async function walkPreview(tour: Tour): Promise<void> {
  const { server, say } = tour;
  const person = await tour.somebody("previewer");
  await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
  const { browser } = await ownerOf(server, person, tour.browser());
  const { token } = await sessionOf(server, person);
  const open = async (body: object): Promise<void> => {
    const method = "service.appearance.v2.AppearanceService/CreatePreview";
    const made = await server.connect(method, { language: "en", ...body }, { token });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { path } = made.body as { readonly path: string };
    await browser.send(path, { headers: framed });
    const style = path.replace("/ui/preview", "/ui/preview/style");
    await browser.send(style, { headers: { ...framed, "sec-fetch-dest": "style" } });
    await browser.send(path);
  };
  const texts = { "login_name.title": say("title") };
  for (const name of loginPages) await open({ page: { page: `LOGIN_PAGE_${name.toUpperCase()}`, hasErrors: true } });
  await open({ page: { page: "LOGIN_PAGE_LOGIN_NAME", texts }, look: { disableWatermark: true } });
  // A message takes no double braces but those of its placeholders.
  const parts = { title: say("title").replaceAll(/[{}]/g, ""), text: "{{.Code}}" };
  for (const kind of ["INIT", "VERIFY_PHONE"]) await open({ message: { kind: `MESSAGE_KIND_${kind}`, parts } });
}
