import { inboxOf } from "../../factor/support.ts";
import type { Person } from "../../support/people/people.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { enter, visit } from "./sign-in.ts";

/** Every second factor that settings can allow. */
export const allFactors = ["totp", "u2f", "otp_email", "otp_sms", "recovery_codes"] as const;

/** Those with which nothing else is made: recovery codes come with the first second factor. */
export const addableFactors = ["totp", "u2f", "otp_email", "otp_sms"] as const;

/** Enters name and password at an application; returns the page that follows. */
export async function half(server: TestServer, person: Person, parameters = {}, browser = new TestBrowser(server)) {
  const client = await addClient(server);
  const visitor = await visit(server, client, parameters, browser);
  return { client, ...visitor, page: await enter(visitor, person) };
}

/** Returns the code of the newest message to a recipient. */
export const codeOf = async (server: TestServer, recipient: string): Promise<string> => {
  const [newest] = await inboxOf(server, recipient);
  return /\b([0-9A-Z]{6,8})\b/.exec(newest.text)?.[1] ?? "";
};

/** Returns what a page asks a key for, and the form that the script would fill in. */
export async function ask(browser: TestBrowser, page: ShownPage) {
  const [, address = ""] = /data-passkey-request="([^"]*)"/.exec(page.html) ?? [];
  const token = page.forms[0]?.values.find(([name]) => name === "csrf_token")?.[1] ?? "";
  const answer = await browser.send(address.replaceAll("&amp;", "&"), {
    method: "POST",
    body: new URLSearchParams({ csrf_token: token }),
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
  });
  return { status: answer.status, options: (await answer.json()) as { publicKey: Record<string, unknown> } };
}

/** Returns the recovery codes that a page shows. */
export const codesOn = ({ html }: ShownPage): string[] =>
  [...html.matchAll(/<code>((?:[A-Z2-9]{4}-){3}[A-Z2-9]{4})<\/code>/g)].map(([, code]) => code ?? "");

/** Goes on from the recovery codes that came with a first second factor; any other page stays. */
export function goOn(browser: TestBrowser, page: ShownPage): Promise<ShownPage> {
  if (codesOn(page).length === 0) return Promise.resolve(page);
  const [, address = ""] = /href="([^"]+)"[^>]*>I have saved these codes/.exec(page.html) ?? [];
  return browser.open(address.replaceAll("&amp;", "&"));
}
