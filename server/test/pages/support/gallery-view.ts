import type { Html, PageContext } from "../../../src/html/index.ts";

/** A view in one of its states. */
export interface GalleryView {
  readonly view: string;
  readonly state: string;
  /** Hash of the script of a page that posts itself on to an application; others have scripts of files only. */
  readonly relayScriptHash?: string;
  /** Renders it; `change` may turn the model into another of the same shape before. */
  render(context: PageContext, change?: (model: unknown) => unknown): Html;
}

/** All states of one view. */
export const ofView =
  <Model>(view: string, page: (context: PageContext, model: Model) => Html) =>
  (state: string, model: (context: PageContext) => Model): GalleryView => ({
    view,
    state,
    render: (context, change = (unchanged) => unchanged) => page(context, change(model(context)) as Model),
  });
