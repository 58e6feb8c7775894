import type { Event } from "@doorward/api/service/event/v1/event_pb";
import { Link } from "@tanstack/react-router";
import { linkTo } from "../../address.ts";
import { t } from "../../text/catalogue.ts";
import { textIn, thingOf, userOf } from "./event-address.ts";
import type { UserNames } from "./use-user-names.ts";

/** Names that events record of what they are about, the first that there is. */
const names = ["name", "displayName", "username", "userName", "loginName", "email", "domain", "key", "roleKey"];

/** What an event is about: its kind and, where it was recorded, its name; with a link to it. */
export function EventThing({ of: event, names: users }: { readonly of: Event; readonly names: UserNames }) {
  const { aggregate, payload } = event;
  const user = users.get(userOf(event) ?? "");
  const kind = aggregate?.type?.localized?.localizedMessage || aggregate?.type?.type;
  const name = names.map((each) => textIn(payload, each)).find((each) => each !== undefined);
  const to = thingOf(event);
  const shown = user ?? name ?? aggregate?.id;
  return (
    <>
      {to === undefined ? shown : <Link {...linkTo(to)}>{shown}</Link>}
      <span className="subtitle">{kind}</span>
    </>
  );
}

/** Who made an event happen. What has no source is what the server did on its own. */
export function EventActor({ of: { editor, source } }: { readonly of: Event }) {
  if (editor === undefined || editor.userId === "") {
    return <span className="muted">{source === "" ? t("activity.server") : "–"}</span>;
  }
  return <Link {...linkTo(`/users/${editor.userId}`)}>{editor.displayName || editor.userId}</Link>;
}
