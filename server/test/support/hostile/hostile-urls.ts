/** URLs that try to look like `https://app.example.com/callback`, or that a browser should never be sent to. */
export function hostileUrls(scheme = "https", host = "app.example.com", path = "/callback"): string[] {
  const good = `${scheme}://${host}${path}`;
  return [...scriptUrls, ...lookalikes(scheme, host, path), ...spellings(scheme, host, path), ...damaged(good)].filter(
    (url) => url !== good,
  );
}

/** What a browser would run or open itself. */
export const scriptUrls = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "javascript://app.example.com/callback%0aalert(1)",
  " javascript:alert(1)",
  "java\tscript:alert(1)",
  "\u0001javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:text/html;base64,PHNjcmlwdD4=",
  "vbscript:msgbox(1)",
  "view-source:https://app.example.com/callback",
  "blob:https://app.example.com/callback",
  "filesystem:https://app.example.com/temporary/x",
  "file:///etc/passwd",
  "about:blank",
  "ftp://app.example.com/callback",
  "intent://app.example.com/callback#Intent;scheme=https;end",
  "jar:https://app.example.com/callback!/",
  "ws://app.example.com/callback",
  "mailto:root@app.example.com",
];

function lookalikes(scheme: string, host: string, path: string): string[] {
  const evil = "evil.example";
  return [
    `${scheme}://${evil}${path}`,
    `${scheme}://${host}.${evil}${path}`,
    `${scheme}://${evil}/${host}${path}`,
    `${scheme}://x.${host}${path}`,
    `${scheme}://${host}@${evil}${path}`,
    `${scheme}://${host}:pass@${evil}${path}`,
    `${scheme}://user@${host}${path}`,
    `${scheme}://${evil}?${scheme}://${host}${path}`,
    `${scheme}://${evil}#${scheme}://${host}${path}`,
    `${scheme}://${evil}#@${host}${path}`,
    `${scheme}://${evil}\\@${host}${path}`,
    `${scheme}://${evil}\\.${host}${path}`,
    `${scheme}://${evil}%23.${host}${path}`,
    `${scheme}://${evil}%2f.${host}${path}`,
    `${scheme}://${evil};.${host}${path}`,
    `${scheme}://${evil}&.${host}${path}`,
    `//${evil}${path}`,
    `/\\${evil}${path}`,
    `${scheme}:${evil}${path}`,
    `${scheme}:/${evil}${path}`,
    `${scheme}:///${evil}${path}`,
    `${scheme}:\\\\${evil}${path}`,
    `${evil}${path}`,
    "",
    path,
  ];
}

function spellings(scheme: string, host: string, path: string): string[] {
  return [
    `${scheme}://${host}${path}/`,
    `${scheme}://${host}${path}?`,
    `${scheme}://${host}${path}?x=1`,
    `${scheme}://${host}${path}#`,
    `${scheme}://${host}${path}#x`,
    `${scheme}://${host}/../${path}`,
    `${scheme}://${host}/x/..${path}`,
    `${scheme}://${host}/x/%2e%2e${path}`,
    `${scheme}://${host}/x/%252e%252e${path}`,
    `${scheme}://${host}/x/..;${path}`,
    `${scheme}://${host}/.${path}`,
    `${scheme}://${host}/${path}`,
    `${scheme}://${host}${path};x`,
    `${scheme}://${host}${path}%00`,
    `${scheme}://${host}${path}%0d%0aLocation:x`,
    `${scheme}://${host}${path.replace("c", "%63")}`,
    `${scheme}://${host}${path.toUpperCase()}`,
    `${scheme}://${host}.${path}`,
    `${scheme}://${host}:8443${path}`,
    `${scheme}://${host.replaceAll(".", "。")}${path}`,
    `${scheme}://${host.replace("a", "а")}${path}`,
    `${scheme}://${host.replace("e", "ｅ")}${path}`,
    `${scheme.toUpperCase()}://${host}${path}`,
    `${scheme}://${host.toUpperCase()}${path}`,
    `${scheme}://0x7f.1${path}`,
    `${scheme}://2130706433${path}`,
    `${scheme}://[::ffff:127.0.0.1]${path}`,
  ];
}

function damaged(good: string): string[] {
  const inserted = ["\0", "\t", "\n", "\r", " ", "\u200b", "\u00ad", "\\", "\ufeff", "|", "<", '"'];
  const positions = [0, 1, 5, 8, 12, good.length - 1, good.length];
  return inserted.flatMap((character) =>
    positions.map((position) => good.slice(0, position) + character + good.slice(position)),
  );
}
