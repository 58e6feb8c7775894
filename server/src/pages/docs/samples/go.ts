import { indented, partsOf, type SampleCall } from "./sample-call.ts";

/** Returns a call as a program in Go, with its standard library. */
export function toGo({ verb, url, headers, json, form, isByClient }: SampleCall): string {
  const body =
    json === undefined ? (form === undefined ? "nil" : "strings.NewReader(form.Encode())") : "strings.NewReader(body)";
  const all = {
    ...headers,
    ...(json !== undefined && { "content-type": "application/json" }),
    ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
  };
  const lines = [
    ...(json === undefined ? [] : [`body := ${raw(JSON.stringify(json, undefined, 2))}`]),
    ...(form === undefined
      ? []
      : ["form := url.Values{}", ...form.map(([name, value]) => `form.Set("${name}", ${literal(value)})`)]),
    `request, err := http.NewRequest("${verb}", ${literal(url)}, ${body})`,
    ...fail,
    ...(isByClient ? ['request.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))'] : []),
    ...Object.entries(all).map(([name, value]) => `request.Header.Set("${name}", ${literal(value)})`),
    "response, err := http.DefaultClient.Do(request)",
    ...fail,
    "defer response.Body.Close()",
    "answer, err := io.ReadAll(response.Body)",
    ...fail,
    "fmt.Println(response.Status, string(answer))",
  ];
  const main = lines
    .map((line) => (line.startsWith("body := ") ? `\t${line}` : `\t${indented(line, "\t")}`))
    .join("\n");
  const used = packages.filter((name) => main.includes(`${name.slice(name.lastIndexOf("/") + 1)}.`));
  return `package main\n\nimport (\n${used.map((name) => `\t"${name}"`).join("\n")}\n)\n\nfunc main() {\n${main}\n}`;
}

const packages = ["fmt", "io", "log", "net/http", "net/url", "os", "strings"];
const fail = ["if err != nil {\n\tlog.Fatal(err)\n}"];

function literal(text: string): string {
  const parts = partsOf(text).map((part) =>
    "text" in part ? JSON.stringify(part.text) : `os.Getenv("${part.variable}")`,
  );
  return parts.length === 0 ? '""' : parts.join(" + ");
}

// A raw text has no escapes, and ends at a backquote.
const raw = (text: string): string => (text.includes("`") ? JSON.stringify(text) : `\`${text}\``);
