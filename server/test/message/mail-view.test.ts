import assert from "node:assert/strict";
import { test } from "node:test";
import { brandOf } from "../../src/domain/branding/index.ts";
import { defaultBrandingSettings } from "../../src/domain/settings/index.ts";
import { render } from "../../src/html/index.ts";
import { type Branding, mailBrandingOf, neutralBranding, safePalette } from "../../src/message/branding.ts";
import type { Mail } from "../../src/message/mail.ts";
import { drawMailText } from "../../src/message/mail-text.ts";
import { mailView } from "../../src/message/mail-view.ts";
import { contrast } from "../pages/support/contrast-rules.ts";

const mail: Mail = {
  language: "en",
  subject: "Subject",
  preHeader: "Before",
  title: "Title",
  greeting: "Hello Ada,",
  text: "One\ntwo\n\nthree",
  code: "ABC-123",
  isCodeInText: true,
  footer: "Ignore it.",
  account: "Account: ada (Acme)",
  button: { text: "Press", link: "https://app.example/verify?a=1&b=2" },
};

test("colors and logo of an organization are in the mail, and no invalid ones", () => {
  const branding: Branding = {
    light: { background: "#ffffff", text: "#000000", primary: "#aa0000" },
    dark: { background: "red;}</style><script>", text: "#12", primary: "url(//evil.example)" },
    logo: { url: "https://acme.example/logo.png", alternative: `"><script>` },
  };
  const html = render(mailView(mail, branding));
  assert.ok(html.includes("background: #aa0000") && html.includes(`src="https://acme.example/logo.png"`));
  assert.doesNotMatch(html, /<script|evil|red;/);
  const { dark } = neutralBranding;
  assert.ok(html.includes(`body { background: ${dark.background}; color: ${dark.text}; }`));
  for (const url of ["javascript:alert(1)", "http://acme.example/logo.png", "//acme.example/l.png", "/logo.png", ""]) {
    const logo = { url, alternative: "" };
    assert.doesNotMatch(render(mailView(mail, { ...neutralBranding, logo })), /<img/, url);
  }
});

test("the look of an organization is that of its pages, and what stands aside can be read too", () => {
  const origin = "https://id.acme.example";
  const chosen = { primaryColor: "#7a00cc", backgroundColor: "#808080", warnColor: "#808080", fontColor: "#858585" };
  const files = { logo: `${"l".repeat(43)}.svg`, logoDark: `${"d".repeat(43)}.png`, font: `${"f".repeat(43)}.woff2` };
  const drawn = brandOf({ ...defaultBrandingSettings, lightTheme: chosen, assets: files }, "Acme");
  const brand = { ...drawn, isOfOrganization: false };
  const branding = mailBrandingOf(brand, origin);
  for (const name of ["text", "muted"] as const) {
    const ratio = contrast(branding.light[name] ?? "", branding.light.background);
    assert.ok(ratio >= 4.5, `${name}: ${ratio}`);
  }
  assert.deepEqual(branding.dark, neutralBranding.dark);
  const html = render(mailView(mail, branding));
  assert.ok(html.includes(`src="https://id.acme.example/branding/${files.logoDark}" alt="Acme"`), html);
  assert.ok(html.includes(`src: url(https://id.acme.example/branding/${files.font}) format(woff2); }`), html);
  assert.ok(html.includes("font: 16px/1.5 Brand, system-ui"), html);
  const ofOrganization = render(mailView(mail, mailBrandingOf({ ...brand, isOfOrganization: true }, origin)));
  assert.doesNotMatch(ofOrganization, /@font-face|Brand/, "a font of an organization could change the words");
  assert.ok(ofOrganization.includes(files.logoDark));
  const forced = mailBrandingOf({ ...brand, themeMode: "light" }, origin);
  assert.deepEqual(forced.dark, forced.light);
  const elsewhere = render(mailView(mail, { ...branding, font: "https://a.example/x.woff2) } * { x: url(" }));
  assert.doesNotMatch(elsewhere, /@font-face|Brand/);
});

test("words on a button can be read whatever its color is (WCAG 2.2, 1.4.3)", () => {
  const channel = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
      channel(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  for (let colour = 0; colour <= 0xffffff; colour += 0x0a0b0d) {
    const primary = `#${colour.toString(16).padStart(6, "0")}`;
    const { onPrimary } = safePalette({ ...neutralBranding.light, primary }, neutralBranding.light);
    const [one = 0, other = 0] = [luminance(primary), luminance(onPrimary)].sort((left, right) => right - left);
    assert.ok((one + 0.05) / (other + 0.05) >= 4.5, `${onPrimary} on ${primary}`);
  }
});

test("a mail is one document without tables, scripts, forms and styles on elements, and reads the same as text", () => {
  const html = render(mailView(mail, neutralBranding));
  assert.doesNotMatch(html, /<(table|script|form|iframe|link|object)|\sstyle=|\son[a-z]+=|javascript:/i);
  assert.ok(html.startsWith("<!doctype html>") && html.includes("<p>One<br>two</p>\n<p>three</p>"), html);
  assert.equal(
    drawMailText(mail),
    "Title\n\nHello Ada,\n\nOne\ntwo\n\nthree\n\nPress:\nhttps://app.example/verify?a=1&b=2\n\nIgnore it.\n\nAccount: ada (Acme)\n",
  );
  const bare = {
    ...mail,
    title: "Subject",
    code: "X",
    isCodeInText: false,
    button: undefined,
    footer: "",
    account: undefined,
  };
  assert.equal(drawMailText(bare), "Hello Ada,\n\nOne\ntwo\n\nthree\n\nX\n");
});
