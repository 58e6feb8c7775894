import { attributes, type Html, html, type PageContext } from "../../html/index.ts";
import type { BuiltConsole } from "./console-files.ts";

/** What the console learns from its document. */
interface ConsoleModel {
  readonly built: BuiltConsole;
  /** The client id with which it signs users in. */
  readonly clientId: string;
  /** Languages that the instance permits. */
  readonly languages: readonly string[];
}

/** The document of the console: its modules render everything in it. */
export const consoleDocument = (context: PageContext, { built, clientId, languages }: ConsoleModel): Html =>
  html`<!doctype html>
<html${attributes({ lang: context.language, dir: context.direction })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="doorward-client-id" content="${clientId}">
<meta name="doorward-languages" content="${languages.join(",")}">
<title>Doorward</title>
<link rel="icon" href="${context.asset("favicon.svg")}">
${built.styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`)}${built.imports.map((one) => html`<link rel="modulepreload" href="${one}">\n`)}<script type="module" src="${built.entry}"></script>
</head>
<body>
<div id="root"></div>
<noscript><p>${context.say("console.script_needed")}</p></noscript>
</body>
</html>
`;

/** The document at which a sign-in without a page ends: the console reads the address, and nothing is shown. */
export const returnDocument = (context: PageContext): Html =>
  html`<!doctype html>
<html${attributes({ lang: context.language, dir: context.direction })}>
<head>
<meta charset="utf-8">
<title>Doorward</title>
</head>
<body></body>
</html>
`;
