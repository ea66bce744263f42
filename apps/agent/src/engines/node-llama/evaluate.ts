import type { Grammar, LlamaModel, LlamaSequence, NodeLlamaLibrary, SamplingOptions } from './library.ts'

export interface EvaluateDeps {
  library: NodeLlamaLibrary
  model: LlamaModel
  /** How many tokens are evaluated before the signal is looked at again. */
  batchSize: number
}

/** Text that follows `tokens` and fits the grammar, in pieces of whole characters. */
export async function* evaluateText(
  { library, model, batchSize }: EvaluateDeps,
  sequence: LlamaSequence,
  tokens: readonly number[],
  options: { grammar: Grammar; sampling: SamplingOptions; maxTokens: number; signal: AbortSignal },
): AsyncGenerator<string, 'ended' | 'length'> {
  const { grammar, sampling, maxTokens, signal } = options
  const last = await evaluatePrompt(sequence, tokens, batchSize, signal)
  const grammarEvaluationState = new library.LlamaGrammarEvaluationState({ model, grammar })
  let pending: number[] = []
  let count = 0
  for await (const token of sequence.evaluate(last, { ...sampling, grammarEvaluationState })) {
    signal.throwIfAborted()
    count += 1
    pending.push(token)
    const text = model.detokenize(pending)
    // A character may have several tokens.
    if (!text.endsWith('\uFFFD')) {
      yield text
      pending = []
    }
    if (count >= maxTokens) return 'length'
  }
  return 'ended'
}

/** Evaluates all but the last batch, and returns that. What the sequence knows from before is not evaluated again. */
async function evaluatePrompt(
  sequence: LlamaSequence,
  tokens: readonly number[],
  batchSize: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  await sequence.adaptStateToTokens(tokens.slice(0, -1), false) // At least one token is left to continue from.
  let rest = tokens.slice(sequence.nextTokenIndex)
  while (rest.length > batchSize) {
    signal.throwIfAborted()
    await sequence.evaluateWithoutGeneratingNewTokens(rest.slice(0, batchSize))
    rest = rest.slice(batchSize)
  }
  signal.throwIfAborted()
  return rest
}

/** Says when a JSON object is complete: a grammar would go on with white space. */
export function createObjectWatch(): (text: string) => { used: string; isComplete: boolean } {
  let depth = 0
  let isInText = false
  let isEscaped = false
  return (text) => {
    for (let index = 0; index < text.length; index++) {
      const character = text[index]
      if (isEscaped) isEscaped = false
      else if (isInText && character === '\\') isEscaped = true
      else if (character === '"') isInText = !isInText
      else if (!isInText && (character === '{' || character === '[')) depth += 1
      else if (!isInText && (character === '}' || character === ']')) depth -= 1
      if (depth === 0 && character === '}' && !isInText)
        return { used: text.slice(0, index + 1), isComplete: true }
    }
    return { used: text, isComplete: false }
  }
}
