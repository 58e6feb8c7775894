import { X509Certificate } from "node:crypto";
import type { Page } from "playwright-core";

/** Expects that taking over a provider shows its metadata (base64), and whose key signs users in. */
export async function assertShowsCertificate(page: Page, metadata: string): Promise<void> {
  const text = Buffer.from(metadata, "base64").toString();
  const certificate = /X509Certificate>([^<]+)</.exec(text)?.[1] ?? "";
  await page.getByRole("button", { name: "Take over" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(new X509Certificate(Buffer.from(certificate, "base64")).fingerprint256).waitFor();
  await dialog.getByText("EntityDescriptor").first().waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
}
