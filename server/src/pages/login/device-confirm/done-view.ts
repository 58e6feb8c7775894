import { buttonLink, type Href, type Html, html, type PageContext, page, strong } from "../../../html/index.ts";
import { type ClientView, heading, statusHeading } from "../../parts/client.ts";

/** The outcome for a device. */
export interface DeviceDoneModel {
  readonly outcome: "allowed" | "denied";
  readonly client: ClientView;
  readonly startHref: Href;
}

export function deviceDonePage(context: PageContext, { outcome, client, startHref }: DeviceDoneModel): Html {
  const title = context.say(`device_done.${outcome}.title`);
  const text = context.sayHtml(`device_done.${outcome}.text`, { client: strong(client.name) });
  return page(context, {
    title,
    body: html`${outcome === "allowed" ? statusHeading("success", title, html`<p>${text}</p>`) : heading(title, html`<p>${text}</p>`)}
<p>${context.say(`device_done.${outcome}.next`)}</p>
${buttonLink(startHref, context.say("error.start"), "secondary")}`,
  });
}
