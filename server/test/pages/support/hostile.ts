/** Texts that try to become markup. */
export const hostileTexts = [
  `"><script>alert(1)</script>`,
  `'><img src=x onerror=alert(1)>`,
  "</title></textarea></style><svg onload=alert(1)>",
  `" autofocus onfocus="alert(1)`,
  "<!--<script>",
  "{{7*7}}{name}<%= 7*7 %>",
  "&lt;b&gt;&#x22;",
  "\u202Egnp.exe\u2066",
  "`onmouseover=alert(1)`",
] as const;

// Not written by users: addresses and names of our files, and words that choose between texts.
const ours =
  /^(?:action|.*Action|href|.*Href|error|reason|end|kind|outcome|step|purpose|to|field|organization|hrefs|level|part|news|uri|avatarFile)$/;

/** Returns the model with every text changed that another user may have written. */
export function withTexts(model: unknown, change: (text: string) => string, key = ""): unknown {
  if (ours.test(key)) return model;
  if (typeof model === "string") return change(model);
  if (Array.isArray(model)) return model.map((item) => withTexts(item, change, key));
  if (typeof model !== "object" || model === null) return model;
  return Object.fromEntries(Object.entries(model).map(([name, value]) => [name, withTexts(value, change, name)]));
}
