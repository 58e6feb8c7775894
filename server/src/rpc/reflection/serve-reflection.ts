import { Code, ConnectError, type ConnectRouterOptions, createConnectRouter } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { ServerReflection, type ServerReflectionRequest } from "@doorward/api/grpc/reflection/v1/reflection_pb";
import { answerQuestion } from "./answer.ts";
import { createDescriptorFiles, type DescriptorFiles } from "./descriptor-files.ts";

// Several times what a client needs that reads the whole contract under each word.
const mostQuestions = 2000;
const mostBytes = 16 * 1024 * 1024;

/**
 * Creates the handler of gRPC server reflection. It is public, because the contract is not secret. Written for `v1`;
 * the messages of `v1alpha` have the same bytes, so it serves both.
 */
export function createReflectionHandler(aliases: readonly string[], options: ConnectRouterOptions): UniversalHandler {
  const files = createDescriptorFiles();
  const router = createConnectRouter(options).service(ServerReflection, {
    serverReflectionInfo: (questions) => converse(files, aliases, questions),
  });
  const [handler] = router.handlers;
  if (handler === undefined) throw new Error("no handler for reflection");
  return handler;
}

async function* converse(
  files: DescriptorFiles,
  words: readonly string[],
  questions: AsyncIterable<ServerReflectionRequest>,
) {
  const conversation = { files, words, sent: new Set<string>(), sentBytes: 0 };
  let asked = 0;
  for await (const question of questions) {
    if (++asked > mostQuestions || conversation.sentBytes > mostBytes) {
      throw new ConnectError("this stream has asked enough; ask in another one", Code.ResourceExhausted);
    }
    yield answerQuestion(conversation, question);
  }
}
