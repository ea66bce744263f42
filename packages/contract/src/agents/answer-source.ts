/**
 * R88: where an answer comes from. `inherited`: given by somebody whose seat an agent has taken over since, and which the
 * agent goes on with.
 */
export const answerSources = ['person', 'model', 'retry', 'fallback', 'script', 'inherited'] as const
export type AnswerSource = (typeof answerSources)[number]
