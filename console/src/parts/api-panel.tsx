import { useId, useState } from "react";
import { type ApiCall, levelOf } from "../api/call.ts";
import { toCommand } from "../api/code/command.ts";
import { toCurl } from "../api/code/curl.ts";
import { plainJson, requestJson } from "../api/code/plain.ts";
import { toTerraform } from "../api/code/terraform.ts";
import { toTypeScript } from "../api/code/typescript.ts";
import { toYaml } from "../api/code/yaml.ts";
import { t } from "../text/catalogue.ts";
import { CodeBlock } from "./code-block.tsx";
import { Dialog } from "./dialog.tsx";

// The object that a read was answered with; of a change, what it sends.
const objectOf = (call: ApiCall) =>
  call.output === undefined ? requestJson(call) : plainJson(call.method.output, call.output);

function nameOf(call: ApiCall): string {
  const { parent, name } = call.method;
  return `${parent.name}/${name}${levelOf(call)?.case === "instance" ? ` (${t("scope.instance")})` : ""}`;
}

/** Each form in which a call can be shown. Those that return nothing do not exist for the call. */
const formats: readonly (readonly [name: string, write: (call: ApiCall, origin: string) => string | undefined])[] = [
  ["curl", toCurl],
  ["TypeScript", toTypeScript],
  ["doorward", toCommand],
  ["Terraform", toTerraform],
  ["JSON", (call) => JSON.stringify(objectOf(call), null, 2)],
  ["YAML", (call) => toYaml(objectOf(call))],
];

/** Calls of the API as code, which can be copied. Everything in it is made from the contract. */
export function ApiPanel({ calls, onClose }: { readonly calls: readonly ApiCall[]; readonly onClose: () => void }) {
  const [index, setIndex] = useState(0);
  const [format, setFormat] = useState("curl");
  const id = useId();
  const call = calls[index];
  const written = call
    ? formats.flatMap(([name, write]) => {
        const code = write(call, location.origin);
        return code === undefined ? [] : [{ name, code }];
      })
    : [];
  const shown = written.find(({ name }) => name === format) ?? written[0];
  const isChange = call?.output === undefined;
  return (
    <Dialog title={t("api.title")} onClose={onClose}>
      <p className="muted">{call ? t(isChange ? "api.change" : "api.read") : t("api.noRead")}</p>
      {call && shown && (
        <>
          <div className="api-choices">
            <label className="label" htmlFor={`${id}-call`}>
              {t("api.call")}
            </label>
            <select id={`${id}-call`} value={index} onChange={(event) => setIndex(Number(event.target.value))}>
              {calls.map((one, position) => (
                <option key={nameOf(one)} value={position}>
                  {nameOf(one)}
                </option>
              ))}
            </select>
            <label className="label" htmlFor={`${id}-format`}>
              {t("api.format")}
            </label>
            <select id={`${id}-format`} value={shown.name} onChange={(event) => setFormat(event.target.value)}>
              {written.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <CodeBlock code={shown.code} label={shown.name} />
          <p className="muted small">{t("api.hint")}</p>
          <p className="muted small">
            {t("api.token")} <code>doorward token --api</code> <a href="/docs">{t("userMenu.docs")}</a>
          </p>
        </>
      )}
    </Dialog>
  );
}
