import assert from "node:assert/strict";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";

/** The parameters of an address. */
export const queryOf = (address: string): Record<string, string> =>
  Object.fromEntries(new URL(address, "https://any.example").searchParams);

/** An address as libraries read it: its parameters, and what of them is signed. */
export function signedQuery(address: string) {
  const [octetString = ""] = new URL(address).search.slice(1).split("&Signature=");
  return { query: queryOf(address), octetString };
}

/** Signs out of all sessions on our page, and returns where the browser goes. */
export async function signOutHere(browser: TestBrowser): Promise<ShownPage> {
  const page = await browser.open("/ui/logout");
  const ids = [...page.html.matchAll(/name="session_id"[^>]*value="(\d+)"|value="(\d+)"[^>]*name="session_id"/g)];
  const session_id = ids.map(([, one, other]) => one ?? other ?? "");
  assert.ok(session_id.length > 0, page.html);
  return browser.submit(page, { session_id });
}

/** Changes a posted message, as an attacker between the parties would. */
export function changePosted(field: string, from: string | RegExp, to: string): string {
  const message = Buffer.from(field, "base64").toString("utf8");
  return Buffer.from(changed(message, from, to)).toString("base64");
}

/** Changes the encrypted assertion in a response of ours, below the signature of the response. */
export const changeAssertion = (field = ""): string =>
  changePosted(field, /[^A](?=.{20,30}<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData>)/, "A");

/** Changes the message of an address, and leaves its signature. */
export function changeInAddress(address: string, parameter: string, from: string | RegExp, to: string): string {
  const url = new URL(address);
  const message = inflateRawSync(Buffer.from(url.searchParams.get(parameter) ?? "", "base64")).toString("utf8");
  url.searchParams.set(parameter, deflateRawSync(changed(message, from, to)).toString("base64"));
  return url.href;
}

function changed(message: string, from: string | RegExp, to: string): string {
  const after = message.replace(from, to);
  assert.notEqual(after, message);
  return after;
}

/** The form of a page that another party wrote, as a browser reads it. */
export function formIn(html: string): { readonly action: string; readonly fields: Record<string, string> } {
  const form = /<form\b([^>]*)>([\s\S]*?)<\/form>/i.exec(html);
  assert.ok(form, html);
  const [, attributes = "", content = ""] = form;
  const inputs = [...content.matchAll(/<input\b([^>]*)>/gi)].map(([, each = ""]) => each);
  const fields = inputs.flatMap((each) => {
    const name = valueIn(each, "name");
    return name === "" ? [] : [[name, valueIn(each, "value")] as const];
  });
  return { action: valueIn(attributes, "action"), fields: Object.fromEntries(fields) };
}

function valueIn(attributes: string, name: string): string {
  const [, double, single] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i").exec(attributes) ?? [];
  return (double ?? single ?? "")
    .replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (_, hex, decimal) =>
      String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&");
}
