import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DescriptorProto, FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import type {
  ServerReflectionRequest,
  ServerReflectionResponseSchema,
} from "@doorward/api/grpc/reflection/v1/reflection_pb";
import { services } from "@doorward/api/services";
import { namespaceWord, withoutInnerWord, withoutWord, withWord } from "../namespace.ts";
import { statusOf } from "../status.ts";
import type { DescriptorFiles } from "./descriptor-files.ts";

type Answer = MessageInitShape<typeof ServerReflectionResponseSchema>;
type Response = NonNullable<Answer["messageResponse"]>;

/** A stream of requests: files that were sent in it are not sent again. */
export interface Conversation {
  readonly files: DescriptorFiles;
  /** Accepted words in place of ours. */
  readonly words: readonly string[];
  readonly sent: Set<string>;
  sentBytes: number;
}

/** Services of this protocol itself, which are not part of the contract. */
const reflectionServices = ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"];

/**
 * Answers one request of a stream (gRPC Server Reflection Protocol). Names that begin with an alias of the namespace
 * word get answers with that word; the list of services has each once, under its own name.
 */
export async function answerQuestion(conversation: Conversation, question: ServerReflectionRequest): Promise<Answer> {
  const messageResponse = await respond(conversation, question.messageRequest);
  return { validHost: question.host, originalRequest: question, messageResponse };
}

async function respond(
  conversation: Conversation,
  asked: ServerReflectionRequest["messageRequest"],
): Promise<Response> {
  const { files } = conversation;
  switch (asked.case) {
    case "listServices": {
      const names = [...Object.keys(services), ...reflectionServices].sort();
      return { case: "listServicesResponse", value: { service: names.map((name) => ({ name })) } };
    }
    case "fileByFilename": {
      const { word, own } = readName(conversation, asked.value);
      return sendFile(conversation, own, word);
    }
    case "fileContainingSymbol": {
      const { word, own } = readName(conversation, asked.value);
      return sendFile(conversation, await findDeclaration(files, own), word);
    }
    case "fileContainingExtension": {
      const { word, own } = readName(conversation, asked.value.containingType);
      return sendFile(conversation, (await files.extensionsOf(own)).get(asked.value.extensionNumber), word);
    }
    case "allExtensionNumbersOfType": {
      const { own } = readName(conversation, asked.value);
      const file = await findDeclaration(files, own);
      if (file === undefined) return notFound();
      const extensionNumber = [...(await files.extensionsOf(own)).keys()];
      return { case: "allExtensionNumbersResponse", value: { baseTypeName: asked.value, extensionNumber } };
    }
    case undefined:
      return refusal("invalid_argument", "the question is missing");
    default:
      return asked satisfies never;
  }
}

/** Returns a name with our word, and the word of the request. */
function readName({ words }: Conversation, name: string): { readonly word: string; readonly own: string } {
  const [first = ""] = name.split(/[./]/, 1);
  if (!words.includes(first)) return { word: namespaceWord, own: name };
  return { word: first, own: withoutInnerWord(withoutWord(name, first), first) };
}

/** Returns the file that declares a symbol: a type, a service, or a member of one. */
async function findDeclaration(files: DescriptorFiles, symbol: string): Promise<string | undefined> {
  const parts = symbol.split(".");
  if (parts.length > 32) return undefined;
  for (let length = parts.length; length > 0; length--) {
    const name = await files.declaring(parts.slice(0, length).join("."));
    if (name === undefined) continue;
    if (length === parts.length) return name;
    const file = await files.parse(name);
    return file !== undefined && declares(file, parts.slice(length - 1)) ? name : undefined;
  }
  return undefined;
}

/** Whether a file has a member inside one of its declarations; `names` begins with the declaration. */
function declares(file: FileDescriptorProto, [outer, ...inner]: readonly string[]): boolean {
  const service = file.service.find(({ name }) => name === outer);
  if (service !== undefined) return inner.length === 1 && service.method.some(({ name }) => name === inner[0]);
  let message: DescriptorProto | undefined = file.messageType.find(({ name }) => name === outer);
  for (const [index, wanted] of inner.entries()) {
    const nested: DescriptorProto | undefined = message?.nestedType.find(({ name }) => name === wanted);
    if (nested === undefined) return message !== undefined && index === inner.length - 1 && hasMember(message, wanted);
    message = nested;
  }
  return message !== undefined;
}

const hasMember = ({ field, enumType, oneofDecl, extension }: DescriptorProto, wanted: string): boolean =>
  [field, enumType, oneofDecl, extension].some((members) => members.some(({ name }) => name === wanted));

/** Sends the file and its imports, except those that were sent before. */
async function sendFile(conversation: Conversation, name: string | undefined, word: string): Promise<Response> {
  const { files, sent } = conversation;
  const descriptors: Uint8Array[] = [];
  const add = async (wanted: string, isAsked: boolean): Promise<boolean> => {
    const key = withWord(wanted, word);
    if (sent.has(key) && !isAsked) return true;
    const file = await files.read(wanted, word);
    if (file === undefined) return false;
    sent.add(key);
    descriptors.push(file.bytes);
    conversation.sentBytes += file.bytes.length;
    for (const imported of file.imports) await add(imported, false);
    return true;
  };
  if (name === undefined || !(await add(name, true))) return notFound();
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto: descriptors } };
}

const notFound = (): Response => refusal("not_found", "the contract has nothing of this name");

const refusal = (code: "not_found" | "invalid_argument", errorMessage: string): Response => ({
  case: "errorResponse",
  value: { errorCode: statusOf[code].grpc, errorMessage },
});
