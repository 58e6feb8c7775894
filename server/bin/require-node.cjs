"use strict";
// Loaded before the first TypeScript file, so it has to be understood by any Node: says in one sentence what is
// missing.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  process.stderr.write(
    `Doorward needs Node.js 24 or newer, and this is ${process.versions.node}. On Linux (x64, arm64) a plain ` +
      '"npm ci" brings the right one; elsewhere, and for the server alone, install Node.js 24 or newer from nodejs.org.\n',
  );
  process.exit(1);
}
