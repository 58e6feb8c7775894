import assert from "node:assert/strict";
import type { TestServer } from "../../support/servers/server.ts";
import type { ShownForm, ShownPage } from "../../support/sign-in/test-browser.ts";
import type { Owner } from "./account.ts";

/** Returns the form of a page whose action ends with these words. */
export const formOf = ({ forms }: ShownPage, ending: string): ShownForm => {
  const form = forms.find(({ action }) => action.includes(ending));
  assert.ok(form, ending);
  return form;
};

/** Returns the form with its file, as a browser sends it. */
export function filled(form: ShownForm, bytes: Buffer | undefined): FormData {
  const data = new FormData();
  for (const [name, value] of form.values) data.set(name, value);
  data.set("picture", new Blob(bytes === undefined ? [] : [new Uint8Array(bytes)]), "picture.html");
  return data;
}

/** Chooses a picture and saves it; returns the address that follows, or the problem that the page shows. */
export async function savePicture(
  server: Pick<TestServer, "origin">,
  owner: Pick<Owner, "browser" | "open">,
  bytes: Buffer | undefined,
) {
  const form = formOf(await owner.open("/ui/account/profile"), "/picture?");
  const answer = await owner.browser.send(form.action, {
    method: "POST",
    body: filled(form, bytes),
    headers: { origin: server.origin, "sec-fetch-site": "same-origin" },
  });
  const location = answer.headers.get("location");
  return { status: answer.status, location, html: await answer.text() };
}
