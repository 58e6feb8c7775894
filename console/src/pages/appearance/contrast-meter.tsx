import { Badge, type BadgeLook } from "../../parts/badge.tsx";
import { isColor } from "../../parts/color-field.tsx";
import { t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";
import { type Contrast, contrastOf } from "./contrast.ts";
import { colorNames, type LookValues, usualColors } from "./look.ts";

const looks: Readonly<Record<Contrast["level"], BadgeLook>> = {
  good: "good",
  enough: "good",
  weak: "warning",
  none: "bad",
};

/** Says of the colors of a theme how well they can be read on its background, in words and numbers. */
export function ContrastMeter({ values, suffix }: { readonly values: LookValues; readonly suffix: "" | "Dark" }) {
  const color = (name: (typeof colorNames)[number]): string => {
    const chosen = values[`${name}${suffix}`];
    return isColor(chosen) ? chosen : usualColors[`${name}${suffix}`];
  };
  const background = color("backgroundColor");
  const texts = colorNames.filter((name) => name !== "backgroundColor");
  return (
    <>
      <dl className="contrasts">
        {texts.map((name) => {
          const { ratio, level } = contrastOf(color(name), background);
          return (
            <div key={name}>
              <dt>{t(`appearance.contrast.${name}`)}</dt>
              <dd>
                <Badge look={looks[level]}>{t(`appearance.contrast.${level}`)}</Badge>
                <span className="muted small">
                  {" "}
                  {t("appearance.contrast.ratio", { ratio: formatNumber(Math.floor(ratio * 10) / 10) })}
                </span>
                {(level === "weak" || level === "none") && (
                  <span className="muted small"> {t("appearance.contrast.adjusted")}</span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="hint">{t("appearance.contrast.needed")}</p>
    </>
  );
}
