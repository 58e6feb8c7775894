import { type LabelPolicy, ThemeMode as ThemeMode1 } from "@doorward/api/service/policy/v1/policy_pb";
import { ThemeMode as ThemeMode2 } from "@doorward/api/service/settings/v2/branding_pb";

const colors = ["primaryColor", "backgroundColor", "fontColor", "warnColor"] as const;
type ColorName = (typeof colors)[number];

/** What the form of a branding holds. */
export type LookValues = Record<ColorName | `${ColorName}Dark`, string> & {
  themeMode: string;
  hideLoginNameSuffix: boolean;
  disableWatermark: boolean;
};

/** The names of the colors, in the order of the form. */
export const colorNames: readonly ColorName[] = colors;

/** The built-in colors, which empty fields stand for. */
export const usualColors: Readonly<Record<ColorName | `${ColorName}Dark`, string>> = {
  primaryColor: "#12594a",
  backgroundColor: "#efece3",
  fontColor: "#18231f",
  warnColor: "#a3241d",
  primaryColorDark: "#79d0b6",
  backgroundColorDark: "#0b100e",
  fontColorDark: "#e9eeeb",
  warnColorDark: "#ffa396",
};

/** Returns the values of the form from a message of the contract. */
export function toValues(policy: LabelPolicy): LookValues {
  const values = Object.fromEntries(
    colors.flatMap((name) => [
      [name, policy[name]],
      [`${name}Dark`, policy[`${name}Dark`]],
    ]),
  ) as Record<ColorName | `${ColorName}Dark`, string>;
  const { hideLoginNameSuffix, disableWatermark } = policy;
  return { ...values, themeMode: String(policy.themeMode), hideLoginNameSuffix, disableWatermark };
}

/** Returns the fields of a request from the values of the form. */
export const toRequest = ({ themeMode, ...values }: LookValues): object => ({
  ...values,
  themeMode: Number(themeMode),
});

// The two versions of the contract have different numbers.
const modes: Readonly<Record<number, ThemeMode2>> = {
  [ThemeMode1.AUTO]: ThemeMode2.AUTO,
  [ThemeMode1.LIGHT]: ThemeMode2.LIGHT,
  [ThemeMode1.DARK]: ThemeMode2.DARK,
};

/** Returns what a preview takes from the values of the form. Colors that are not complete yet are left out. */
export function toLook({ themeMode, hideLoginNameSuffix, disableWatermark, ...values }: LookValues) {
  const of = (suffix: "" | "Dark") =>
    Object.fromEntries(
      colors.map((name) => {
        const color = values[`${name}${suffix}`];
        return [name, /^#[0-9a-f]{6}$/i.test(color) ? color : ""];
      }),
    );
  const mode = modes[Number(themeMode)] ?? ThemeMode2.AUTO;
  return { light: of(""), dark: of("Dark"), themeMode: mode, hideLoginNameSuffix, disableWatermark };
}

/** Whether a draft is what users see already. */
export function isSame(one: LabelPolicy, other: LabelPolicy): boolean {
  const facts = ({ details: _, isDefault: __, $typeName: ___, ...rest }: LabelPolicy) => JSON.stringify(rest);
  return facts(one) === facts(other);
}
