import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { t } from "../text/catalogue.ts";
import { toDate } from "../text/format.ts";
import { Badge } from "./badge.tsx";
import { Field } from "./form.tsx";
import { Time } from "./time.tsx";

// What never expires is sent as the last day of the calendar by some servers.
const never = new Date("9999-01-01").getTime();

/** When a key or token stops working. */
export function Expiry({ at }: { readonly at: Timestamp | undefined }) {
  const date = toDate(at);
  if (date === undefined || date.getTime() <= 0 || date.getTime() >= never) return t("user.never");
  if (date.getTime() > Date.now()) return <Time at={at} />;
  return (
    <>
      <Badge look="bad">{t("user.expired")}</Badge> <Time at={at} />
    </>
  );
}

/** A field for the last day on which something works. */
export const ExpiryField = () => (
  <Field
    name="lastDay"
    label={t("user.lastDay")}
    hint={t("user.lastDay.hint")}
    type="date"
    check={(value) => (value === "" || endOf(value) > new Date() ? undefined : t("user.lastDay.past"))}
  />
);

const endOf = (day: string): Date => new Date(`${day}T23:59:59`);

/** Returns the end of the chosen day, or undefined when there is none. */
export const expirationOf = (lastDay: string): Timestamp | undefined =>
  lastDay === "" ? undefined : timestampFromDate(endOf(lastDay));
