import { type RoomEvent, type RoomSnapshot, type State, seededRandom } from '@atrium/contract'
import { answering, continuing, persona, playAgents, saying } from './agent-room.ts'
import { component, group, openedAt, state } from './played-room.ts'

/** What one person receives of a room with three people and a hidden agent, and which alias is the agent’s. */
export interface Observed {
  snapshot: RoomSnapshot
  events: RoomEvent[]
  agent: string
}

const people = ['p1', 'p2', 'p3']
const pacing = { thinkMs: 4_000, thinkSpreadMs: 10_000, charactersPerSecond: 5, lullMs: 6_000 }

/** People are about as fast as the agent: a pilot tells researchers which pacing that takes. */
const usualThoughtMs = 9_000

const states: State[] = [
  state('talk', { components: [component('talk', 'chat')], end: { on: 'button', afterMs: 180_000 } }),
  state('ask', { components: [component('one', 'slider'), component('two', 'slider')] }),
  state('again', { components: [component('three', 'slider')], end: { on: 'all_responded' } }),
]

const definition = group(states, {
  matching: { groupSize: people.length },
  disclosure: { agents: 'hidden' },
  agents: [persona({ seats: 1, pacing })],
})

/** Half of them shorter than the usual one, some several times as long. */
function times(seed: string) {
  const draw = seededRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
  return {
    draw,
    about: (usualMs: number, spread = 0.45): number => Math.round(usualMs * Math.exp(normal() * spread)),
    between: (min: number, max: number): number => Math.round(min + draw() * (max - min)),
  }
}

interface Intent {
  at: number
  act(): void
}

/**
 * Plays a room on its clock alone. The pages of people connect one after the other; they think, type, send all answers
 * together and then press the button, as the pages of the platform do. The agent is asked when it is due.
 */
export function playBlended(seed: string, rule: 'new' | 'old'): Observed {
  const room = playAgents(definition, {
    ...{ seed, isConnected: false },
    ...(rule === 'old' && { blendsAgents: false as const }),
  })
  const { draw, about, between } = times(seed)
  const intents: Intent[] = []
  const later = (at: number, act: () => void): number => intents.push({ at, act })
  const observer = people[Math.floor(draw() * people.length)] ?? 'p1'
  const seen: { snapshot?: RoomSnapshot; from: number } = { from: 0 }
  const text = () => 'x'.repeat(between(8, 70))

  function enter(who: string, visit: number): void {
    const now = room.now()
    const step = room.at(who)
    if (step === 'talk') {
      const count = between(1, 2)
      let at = now
      for (let sent = 0; sent < count; sent++) {
        const words = text()
        at += about(usualThoughtMs) + Math.round((words.length / 5) * 1_000 * (0.7 + 0.6 * draw()))
        later(at, () => room.say(who, words, { visit }))
      }
      later(at + about(3_000), () => room.ready(who, { visit }))
    } else {
      let at = now + about(usualThoughtMs)
      for (const id of step === 'ask' ? ['one', 'two'] : step === 'again' ? ['three'] : []) {
        later(at, () => room.respond(who, id, between(0, 100), { visit }))
        at += between(2, 27)
      }
      later(at + between(40, 300), () => room.ready(who, { visit }))
    }
  }

  const offsets = people.map(() => about(900, 0.7))
  const first = Math.min(...offsets)
  const visits = new Map<string, number>()
  for (const [index, who] of people.entries())
    later(openedAt + (offsets[index] ?? 0) - first, () => {
      room.connect(who)
      if (who === observer) Object.assign(seen, { snapshot: room.snapshot(who), from: room.room().seq })
      visits.set(who, 0)
    })

  const agentId = 'agent_room_1_4'
  let turnId = ''
  let said = 0
  const wanted = between(1, 2)
  function planAgent(): void {
    const turn = room.pending(agentId)
    if (!turn || turn.turnId === turnId) return
    turnId = turn.turnId
    const words = text()
    const legal = room.moves(agentId)
    const isTalking = legal.chats.length > 0 && said < wanted
    const pace = rule === 'new' ? 0.7 + 0.6 * seededRandom(`${seed} ${turnId}`)() : 1
    const typedAt = turn.dueAt + (isTalking ? Math.round((words.length / 5) * 1_000 * pace) : 0)
    later(typedAt, () => {
      if (room.pending(agentId)?.turnId !== turn.turnId) return
      if (isTalking) said++
      const isLast = said >= wanted
      const moves = [
        ...(isTalking ? [saying(words, 'talk')] : []),
        ...legal.answers.map((one) => answering(one.component.id, between(0, 100))),
        ...(legal.canContinue && (isLast || legal.chats.length === 0) ? [continuing] : []),
      ]
      const isDone = moves.some(({ type }) => type !== 'send_message')
      room.take(agentId, moves, isDone ? {} : { isWaiting: true })
    })
  }

  for (let steps = 0; room.room().status.kind === 'running' && steps < 500; steps++) {
    for (const [who, visit] of visits) {
      const now = room.room().flow?.visit ?? visit
      if (now === visit) continue
      visits.set(who, now)
      enter(who, now)
    }
    planAgent()
    intents.sort((one, other) => one.at - other.at)
    const [next] = intents
    const due = Math.min(room.due() ?? Infinity, next?.at ?? Infinity)
    if (due === Infinity) break
    const before = room.room()
    room.pass(due - room.now())
    // What the clock did may have changed what comes next.
    if (room.room() === before && next) intents.shift()?.act()
  }
  if (!seen.snapshot) throw new Error('the observer never came')
  const from = seen.from
  return {
    snapshot: seen.snapshot,
    events: room.heard(observer).filter(({ seq }) => seq > from),
    agent: room.seat(agentId).alias,
  }
}
