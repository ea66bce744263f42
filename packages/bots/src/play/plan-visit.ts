import { drawAnswer, drawText } from '@atrium/agent-protocol'
import {
  type ComponentView,
  happens,
  pickOne,
  type Random,
  type RoomSnapshot,
  wholeBetween,
} from '@atrium/contract'
import { componentTypeOf, isRequired } from '@atrium/contract/components'
import { type Draws, reactionMs } from '../random.ts'
import { askedOf, inOrderOfConditions } from './asked.ts'

/** What a bot will do in a state. `dueMs` counts from the moment of the plan. */
export type Act = { dueMs: number } & (
  | { kind: 'answer'; component: ComponentView; value: unknown }
  /** A comprehension check: answered until it is passed or no attempt is left. */
  | { kind: 'check'; component: ComponentView }
  | { kind: 'say'; component: ComponentView; text: string }
  | { kind: 'ready' }
)

export interface VisitToPlan {
  view: RoomSnapshot
  /** The server's clock. */
  now: number
  draws: Draws
  speed: number
  /** Component → answers to pick from, where random ones would say nothing. */
  answers?: AnswersToPick
}

export type AnswersToPick = Readonly<Record<string, readonly unknown[]>>

const chatChance = 0.7
const optionalChance = 0.8
/** Share of the remaining time that is used; the rest is for the network. */
const usedShare = 0.7
/** Time that a bot spends in a state where nothing plays. */
const usualStayMs = 3_000
const usualButtonMs = 2_000

/** What the current state still asks of the bot, and when the bot will do it. */
export function planVisit({ view, now, draws, speed, answers: toPick = {} }: VisitToPlan): Act[] {
  const { state, globalComponents, self } = view
  if (!state || state.isWaiting) return []
  const components = [...state.components, ...globalComponents]
  const elapsedMs = now - state.enteredAt
  const drawsFor = (what: string): Random => draws(`${state.id}/${state.visit}/${what}`)
  const answers = new Map(Object.entries(self.responses))
  const asked = (component: ComponentView) => askedOf(component, components, (id) => answers.get(id))
  const open = components.filter((component) => isOpen(component, self))

  let cursorMs = 0
  const byHand = inOrderOfConditions(open.filter(isByHand)).flatMap((one): Act[] => {
    const component = asked(one)
    if (!component) return []
    const pace = drawsFor(`${component.id}/pace`)
    if (!isRequired(component) && !happens(optionalChance, pace)) return []
    const { simulated, isCheck, asks } = componentTypeOf(component.type)
    const isGuessed = isCheck && asks(component)
    const value = isGuessed ? undefined : valueFor(component, toPick, drawsFor(component.id))
    cursorMs = Math.max(
      cursorMs + reactionMs(simulated.usualMs, pace, speed),
      simulated.earliestMs(component, value) - elapsedMs,
    )
    if (isGuessed) return [{ kind: 'check', dueMs: cursorMs, component }]
    if (value !== undefined) answers.set(component.id, value)
    return value === undefined ? [] : [{ kind: 'answer', dueMs: cursorMs, component, value }]
  })
  const playedMs = components.flatMap(
    (component) => componentTypeOf(component.type).simulated.playsMs(component) ?? [],
  )
  const mediaMs = Math.max(...playedMs, usualStayMs / speed)
  const alongside = open
    .filter((component) => !isByHand(component) && asked(component))
    .flatMap((component) => alongMedia(component, mediaMs, drawsFor(component.id)))
    .map((act) => ({ ...act, dueMs: Math.max(0, act.dueMs - elapsedMs) }))
  const talk = components
    .filter((component) => componentTypeOf(component.type).takesMessages && asked(component))
    .flatMap((chat) => planTalk(chat, Math.max(cursorMs, usualStayMs / speed), drawsFor(`${chat.id}/talk`)))

  const leftMs = state.deadlineAt === null ? Number.POSITIVE_INFINITY : state.deadlineAt - now
  const acts = [...inTime([...byHand, ...talk], leftMs), ...alongside].sort((a, b) => a.dueMs - b.dueMs)
  if (state.endsOn !== 'button' || self.ready) return acts
  const lastMs = acts.at(-1)?.dueMs ?? 0
  const readyMs = lastMs + reactionMs(usualButtonMs, drawsFor('ready'), speed)
  return [...acts, { kind: 'ready', dueMs: Math.min(readyMs, Math.max(lastMs, leftMs * usedShare)) }]
}

const valueFor = (component: ComponentView, toPick: AnswersToPick, random: Random): unknown => {
  const given = toPick[component.id]
  return given ? pickOne(given, random) : drawAnswer(component, random)
}

function isByHand({ type }: ComponentView): boolean {
  const { responds, plays } = componentTypeOf(type)
  return responds === 'once' && plays === null
}

/** Takes an answer and has none yet; a failed check with attempts left counts as unanswered. */
function isOpen(component: ComponentView, { responses, results }: RoomSnapshot['self']): boolean {
  if (componentTypeOf(component.type).responds === 'none') return false
  if (!Object.hasOwn(responses, component.id)) return true
  const result = results[component.id]
  return typeof result === 'object' && result !== null && 'attemptsLeft' in result
    ? !('passed' in result && result.passed) && result.attemptsLeft !== 0
    : false
}

/** What happens while something plays: its end, and ratings of it. Components of unknown types are answered here, too. */
const alongMedia = (component: ComponentView, mediaMs: number, random: Random): Act[] =>
  componentTypeOf(component.type)
    .simulated.moments(component, mediaMs)
    .map(({ atMs, adapt = (drawn) => drawn }) => ({
      kind: 'answer',
      dueMs: atMs,
      component,
      value: adapt(drawAnswer(component, random)),
    }))

function planTalk(chat: ComponentView, withinMs: number, random: Random): Act[] {
  if (!happens(chatChance, random)) return []
  const max = typeof chat.maxLength === 'number' ? chat.maxLength : 200
  return Array.from({ length: wholeBetween(1, 3, random) }, () => ({
    kind: 'say',
    dueMs: random() * withinMs,
    component: chat,
    text: drawText(1, max, random),
  }))
}

/** Bots hurry when time is running out. */
function inTime(acts: Act[], leftMs: number): Act[] {
  const lastMs = Math.max(0, ...acts.map(({ dueMs }) => dueMs))
  const hurry = Math.min(1, (leftMs * usedShare) / Math.max(1, lastMs))
  return hurry < 1 ? acts.map((act) => ({ ...act, dueMs: Math.max(0, act.dueMs * hurry) })) : acts
}
