export { type AnswerFiles, createAnswerFiles } from './answer-files.ts'
