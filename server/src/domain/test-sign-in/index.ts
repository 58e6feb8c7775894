export { createTestSignIn } from "./create-test-sign-in.ts";
export { findTestRequest } from "./find-test-request.ts";
export { takeTestAnswer } from "./take-test-answer.ts";
export { answerTest, expiredTestSignIns } from "./test-sign-in.store.ts";
export { type TestError, type TestGrant, testReferencePrefix } from "./test-sign-in.ts";
