export { linkOf } from "./message-link.ts";
export {
  type RenderDeps,
  type RenderedMessage,
  renderNotification,
} from "./render-notification.ts";
export { renderSample } from "./render-sample.ts";
