import type { Mail } from "./mail.ts";

/** Renders a mail as text: its parts, separated by empty lines. */
export function drawMailText({
  subject,
  title,
  greeting,
  text,
  code,
  isCodeInText,
  button,
  footer,
  account,
}: Mail): string {
  const parts = [
    title === subject ? "" : title,
    greeting,
    text,
    code === undefined || isCodeInText ? "" : code,
    button === undefined ? "" : button.text === button.link ? button.link : `${button.text}:\n${button.link}`,
    footer,
    account ?? "",
  ];
  return `${parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n")}\n`;
}
