export { drawAnswer } from './draws/draw-answer.ts'
export { drawText } from './draws/draw-from-schema.ts'
export {
  ChatChunk,
  ChatCompletion,
  type ChatMessage,
  ChatRequest,
  type ChatTool,
  ModelList,
  ModelServerError,
  modelServerPaths,
  respondTool,
  type ToolCall,
} from './model-server.ts'
export type { AgentMoves, AgentReply } from './moves.ts'
export { mediatorPerception, perceptionOf, withRetry } from './perceive.ts'
export { Perception } from './perception.ts'
export { plainParameters } from './plain-parameters.ts'
export { asData, messagesFor, systemPromptOf } from './prompt.ts'
export { readReply } from './read-reply.ts'
export { respondToolFor } from './respond.ts'
export { scriptedReply } from './scripted.ts'
