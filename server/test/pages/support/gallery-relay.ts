import { formPostPage, relayScriptHash } from "../../../src/pages/relay/form-post.ts";
import { client, longClient } from "./gallery-values.ts";
import { type GalleryView, ofView } from "./gallery-view.ts";

const formPostView = ofView("form-post", formPostPage);

/** Answers that travel as a form: the page that a browser posts on by itself. */
export const relayViews: readonly GalleryView[] = Object.entries({ default: client, long: longClient }).map(
  ([state, { host }]) => ({
    ...formPostView(state, () => ({
      target: `https://${host}/callback`,
      parameters: { code: "dwc_6sWfQ0mYc3nV", state: "x1", iss: "https://login.acme.example" },
      uiLocales: [],
    })),
    relayScriptHash,
  }),
);
