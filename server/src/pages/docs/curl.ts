import type { MethodReference } from "../../api/index.ts";

/**
 * Returns a call as a shell command. Names with a dollar sign are shell variables, so the address is in double quotes.
 */
export function curlOf(origin: string, { verb, path, headers, body }: MethodReference["example"]): string {
  const sent = body === undefined ? {} : { "content-type": "application/json" };
  const lines = [
    `curl ${verb === "GET" ? "" : `--request ${verb} `}"${origin}${path}"`,
    ...Object.entries({ ...headers, ...sent }).map(([name, value]) => `--header "${name}: ${value}"`),
    ...(body === undefined ? [] : [`--data '${JSON.stringify(body, undefined, 2).replaceAll("'", "'\\''")}'`]),
  ];
  return lines.join(" \\\n  ");
}
