import assert from "node:assert/strict";
import { test } from "node:test";
import { readPicture } from "../../src/base/picture/picture.ts";

const svg = (inner: string, attributes = ""): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"${attributes}>${inner}</svg>`;
const isTaken = (text: string, encoding: BufferEncoding = "utf8"): boolean =>
  readPicture(Buffer.from(text, encoding)) !== undefined;

test("a drawing that could do more than be drawn is refused, however that is spelled", () => {
  const link = (address: string): string => svg(`<a href="${address}"><path d="M0 0h10v10z"/></a>`);
  const refused: Record<string, string> = {
    script: svg("<script>1</script>"),
    "script with a prefix": svg('<s:script xmlns:s="http://www.w3.org/2000/svg">1</s:script>'),
    "frame with a prefix": svg('<h:iframe xmlns:h="http://www.w3.org/1999/xhtml" src="https://evil.example"/>'),
    "foreign object with a prefix": svg('<s:foreignObject xmlns:s="http://www.w3.org/2000/svg"/>'),
    handler: svg("", '\nonload ="1"'),
    "decimal references": link("java&#115;cript:1"),
    "hexadecimal references": link("&#x6A;&#x61;vascript&#x3a;1"),
    "a tab in between": link("java&#9;script:1"),
    "a line in between": link("java\nscript:1"),
    "a document in an address": link("data:text/html,&lt;script>1&lt;/script>"),
    "an animated address": svg('<animate attributeName="href" values="java&#x73;cript:1"/>'),
    entity: `<!DOCTYPE svg [<!ENTITY a "javascript:1">]>${link("&a;")}`,
    "another encoding": `<?xml version="1.0" encoding="ISO-2022-JP"?>${svg("<path/>")}`,
  };
  for (const [what, text] of Object.entries(refused)) assert.equal(isTaken(text), false, what);
});

test("usual drawings are taken", () => {
  const taken: Record<string, string> = {
    plain: svg('<path d="M0 0h10v10z" fill="#123"/>'),
    declared: `<?xml version="1.0" encoding="UTF-8"?><!-- by a program -->${svg("<path/>")}`,
    described: svg(
      '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><dc:description/></rdf:RDF></metadata>',
    ),
    "with references": svg("<title>Fish &amp; chips &#8211; &#x1F41F;</title>"),
    "with a picture inside": svg('<image href="data:image/png;base64,iVBORw0KGgo="/>'),
  };
  for (const [what, text] of Object.entries(taken)) assert.equal(isTaken(text), true, what);
});
