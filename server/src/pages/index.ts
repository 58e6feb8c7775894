export { createAccountRoutes } from "./account/routes.ts";
export { loadAssets } from "./assets.ts";
export { createLoadConsole } from "./console/console-files.ts";
export { createPageFailure, createUntrustedPage } from "./failures.ts";
export { createFormPostPage } from "./relay/form-post.ts";
export { createAssetRoute, respondWithPage } from "./respond.ts";
export { createPageRoutes } from "./routes.ts";
