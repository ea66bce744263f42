import { type Agent, pacingOf, seededRandom } from '@atrium/contract'
import { Value } from 'typebox/value'
import { cutText } from './agent-text.ts'
import { drawAnswer } from './draws/draw-answer.ts'
import { drawFromSchema, drawText } from './draws/draw-from-schema.ts'
import type { AgentMoves, AgentReply, AnswerMove } from './moves.ts'
import type { Perception } from './perception.ts'

export interface ScriptedTurn {
  agent: Pick<Agent, 'script' | 'pacing'>
  perception: Perception
  moves: AgentMoves
  /** The same seed gives the same reply in the same turn. */
  seed: string
  /** Messages that it has written in this visit to the state. */
  saidSoFar: number
}

type ScriptLine = NonNullable<Agent['script']>[number]

/**
 * What a scripted agent does: it says its lines, one per turn, and then answers and continues. Responses that the
 * script does not give, or that do not fit, are drawn.
 */
export function scriptedReply(turn: ScriptedTurn): AgentReply {
  const { agent, perception, moves } = turn
  const stateId = perception.state?.id
  const line = agent.script?.find(({ state }) => state === undefined || state === stateId)
  const hasMoreToSay = moves.chats.length > 0 && turn.saidSoFar + 1 < (line?.say?.length ?? 0)
  const action = hasMoreToSay && moves.canWait ? ({ name: 'wait' } as const) : actionOf(turn, line)
  const message = messageOf(turn, line, action.name === 'wait')
  return { action, ...(message && { message }) }
}

function actionOf(turn: ScriptedTurn, line: ScriptLine | undefined): AgentReply['action'] {
  const { moves } = turn
  const answers = moves.answers.flatMap((move): [string, unknown][] => {
    const answer = answerTo(move, turn, line)
    return answer === undefined ? [] : [[move.component.id, answer]]
  })
  if (answers.length > 0) return { name: 'answer', answers: Object.fromEntries(answers) }
  return { name: moves.canContinue ? 'continue' : 'wait' }
}

function answerTo(
  { component, schema, isRequired }: AnswerMove,
  { seed, perception }: ScriptedTurn,
  line: ScriptLine | undefined,
): unknown {
  const given = new Map(Object.entries(line?.answers ?? {})).get(component.id)
  if (given !== undefined && Value.Check(schema, given)) return given
  const random = seededRandom(`${seed}/${perception.turnId}/${component.id}`)
  // A component can be required although it asks nothing; then any response will do.
  return drawAnswer(component, random) ?? (isRequired ? drawFromSchema(schema, random) : undefined)
}

function messageOf(
  turn: ScriptedTurn,
  line: ScriptLine | undefined,
  isWaiting: boolean,
): AgentReply['message'] {
  const [chat] = turn.moves.chats
  const text = chat && lineToSay(turn, line, isWaiting)
  if (!chat || text === undefined) return undefined
  const filled = cutText(fillIn(text, turn.perception).trim(), chat.maxLength)
  return filled === '' ? undefined : { chat: chat.componentId, text: filled }
}

function lineToSay(turn: ScriptedTurn, line: ScriptLine | undefined, isWaiting: boolean): string | undefined {
  const { agent, perception, saidSoFar, seed } = turn
  const next = line?.say?.[saidSoFar]
  if (next !== undefined) return next
  const { minMessages } = pacingOf(agent)
  // Without this it could never continue.
  if (saidSoFar < minMessages) return drawText(1, 80, seededRandom(`${seed}/${perception.turnId}/say`))
  // The last line again, but only as a reply: a silence must not make it talk to itself.
  const last = perception.events.findLast(({ type }) => type === 'message')
  return isWaiting && last && last.from !== perception.self.alias ? line?.say?.at(-1) : undefined
}

/** In one pass, so that what somebody has written is never taken for a placeholder itself. */
function fillIn(text: string, { variables, events }: Perception): string {
  const known = new Map(Object.entries(variables))
  const last = events.findLast(({ type }) => type === 'message')?.content ?? ''
  return text.replaceAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g, (_all, name: string) =>
    name === 'last' && !known.has(name) ? last : inWords(known.get(name)),
  )
}

const inWords = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
