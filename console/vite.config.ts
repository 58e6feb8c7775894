import { join } from "node:path";
import { defineConfig } from "vite";
import { pruneContract } from "./contract/plugin.ts";

// The server renders the document and finds the files by the manifest. Nothing is copied and nothing is inlined,
// because the policy of the console allows files of its own origin only.
export default defineConfig({
  base: "/ui/console/",
  publicDir: false,
  plugins: [pruneContract(join(import.meta.dirname, "src"))],
  build: {
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: "src/main.tsx",
      // "use client" in libraries is for servers that render components.
      output: {
        codeSplitting: {
          groups: [
            {
              debugName: "texts",
              name: (path) => `texts-${/\/texts\/([a-z]+)\//.exec(path)?.[1] ?? "en"}`,
              test: /\/texts\/[a-z]+\//,
            },
          ],
        },
      },
      checks: { moduleLevelDirective: false, pluginTimings: false },
    },
    target: "es2023",
  },
});
