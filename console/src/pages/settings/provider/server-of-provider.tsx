import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { type ReactNode, useEffect, useState } from "react";
import { CodeBlock } from "../../../parts/code-block.tsx";
import { Facts } from "../../../parts/page.tsx";

/**
 * What says which server a provider's is, by the names of the API: addresses, client id, and files as they are, such as
 * metadata of SAML. For these also the fingerprint of everything that may be a certificate, because its key signs users
 * in.
 */
export function ServerOfProvider({ config }: Pick<Provider, "config">) {
  const configuration: object = config?.config.value ?? {};
  const files = filesOf(configuration);
  const fingerprints = useFingerprints(files.map(([, text]) => text).join("\n"));
  const certificates = fingerprints.map(
    (print, index) => [`X509Certificate ${index + 1} (SHA-256)`, <code key={print}>{print}</code>] as const,
  );
  return (
    <>
      <Facts facts={[...addressesOf(configuration), ...certificates]} />
      {files.map(([name, text]) => (
        <CodeBlock key={name} code={text} label={name} />
      ))}
    </>
  );
}

const filesOf = (configuration: object): readonly (readonly [name: string, text: string])[] =>
  Object.entries(configuration).flatMap(([name, value]: [string, unknown]) =>
    value instanceof Uint8Array && value.length > 0 ? [[name, new TextDecoder().decode(value)] as const] : [],
  );

function addressesOf(configuration: object): readonly (readonly [string, ReactNode])[] {
  return Object.entries(configuration).flatMap(([name, value]: [string, unknown]) => {
    const shown = [value].flat().filter((one): one is string => typeof one === "string" && isTelling(name, one));
    return shown.length === 0 ? [] : [[name, <code key={name}>{shown.join(", ")}</code>] as const];
  });
}

const isTelling = (name: string, value: string): boolean => name === "clientId" || URL.canParse(value);

/** Returns the fingerprints of the certificates in a text; what cannot be read as one is returned as it is. */
function useFingerprints(text: string): readonly string[] {
  const [prints, setPrints] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const found = [...text.matchAll(/X509Certificate\s*>([^<]*)</g)].map(([, body = ""]) => body.replace(/\s+/g, ""));
    void Promise.all([...new Set(found)].filter((body) => body !== "").map(fingerprintOf)).then((all) => {
      if (isCurrent) setPrints(all);
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return prints;
}

async function fingerprintOf(body: string): Promise<string> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  } catch {
    return body;
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(":");
}
