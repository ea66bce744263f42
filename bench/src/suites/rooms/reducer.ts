import type { ExperimentDefinition } from '@atrium/contract'
import {
  type Blueprint,
  compileBlueprint,
} from '../../../../apps/server/src/modules/rooms/model/blueprint.ts'
import type { RoomAction } from '../../../../apps/server/src/modules/rooms/model/room-action.ts'
import type { RoomState } from '../../../../apps/server/src/modules/rooms/model/room-state.ts'
import { emptyRoom } from '../../../../apps/server/src/modules/rooms/rules/opening.ts'
import { reduceRoom } from '../../../../apps/server/src/modules/rooms/rules/reduce-room.ts'
import type { BenchOptions } from '../../options.ts'

export interface ReducerResult {
  /** Actions per second of CPU time. */
  reducedPerSecond: number
  replayedPerSecond: number
  actionsPerGame: number
  actions: number
}

const rounds = 20

const publicGoods: ExperimentDefinition = {
  name: 'Public goods',
  states: [
    {
      id: 'contribute',
      components: [{ id: 'contribution', type: 'slider', saveTo: 'given' }],
      end: { on: 'all_responded' },
      onEnter: { given: '0' },
      onEnd: { pot: 'sum(responses.contribution)', points: 'points + 20 - given + pot * 1.6 / 4' },
    },
    { id: 'feedback', components: [], end: { on: 'button' } },
  ],
  blocks: [{ id: 'rounds', states: ['contribute', 'feedback'], rounds }],
  globalComponents: [{ id: 'chat', type: 'chat' }],
  variables: {
    pot: 0,
    given: { scope: 'participant', initial: 0 },
    points: { scope: 'participant', initial: 0 },
  },
  matching: { groupSize: 4 },
}

const people = ['p1', 'p2', 'p3', 'p4']
const origin = { roomId: 'room_1', experimentId: 'exp_1', revision: 1, seed: 'seed', ordinal: 0 }
const openedAt = 1_750_000_000_000

/** A complete game of four: in each round everyone contributes, sends two messages, and is ready. */
function gameOf(): RoomAction[] {
  const actions: RoomAction[] = [
    {
      type: 'opened',
      members: people.map((participantId) => ({ participantId, role: 'participant' })),
      seed: origin.seed,
      ordinal: origin.ordinal,
    },
    ...people.map((participantId): RoomAction => ({ type: 'connected', participantId })),
  ]
  const each = (act: (participantId: string, actionId: string) => RoomAction): void => {
    for (const participantId of people) actions.push(act(participantId, `action-${actions.length}`))
  }
  const say = (text: string) =>
    each((participantId, actionId) => ({ type: 'send_message', participantId, actionId, text }))
  for (let round = 0; round < rounds; round++) {
    say('what do you give this time')
    each((participantId, actionId) => ({
      type: 'submit_response',
      participantId,
      actionId,
      componentId: 'contribution',
      stateId: 'contribute',
      value: (round * 7) % 100,
      responseTime: 812,
    }))
    say('a little more than the last time, I thought')
    each((participantId, actionId) => ({ type: 'ready', participantId, actionId, stateId: 'feedback' }))
  }
  return actions
}

function play(blueprint: Blueprint, actions: Iterable<RoomAction>): RoomState {
  let room = emptyRoom(origin, blueprint)
  let at = openedAt
  for (const action of actions) {
    const reduction = reduceRoom(room, action, at++, blueprint)
    if (reduction.kind !== 'applied') throw new Error(`an action of the game was ${reduction.kind}`)
    room = reduction.room
  }
  return room
}

function* parsed(log: string[]): Generator<RoomAction> {
  for (const action of log) yield JSON.parse(action) as RoomAction
}

/** The reducer alone, in this process: no sockets, no log. A replay also parses each action from JSON. */
export function benchReducer({ seconds }: BenchOptions): ReducerResult {
  const blueprint = compileBlueprint(publicGoods)
  const actions = gameOf()
  const log = actions.map((action) => JSON.stringify(action))
  const end = play(blueprint, actions)
  if (end.status.kind !== 'ended') throw new Error('the game did not end')
  const reduced = gamesPerSecond(seconds, () => play(blueprint, actions))
  const replayed = gamesPerSecond(seconds, () => play(blueprint, parsed(log)))
  return {
    reducedPerSecond: reduced.perSecond * actions.length,
    replayedPerSecond: replayed.perSecond * actions.length,
    actionsPerGame: actions.length,
    actions: (reduced.games + replayed.games) * actions.length,
  }
}

function gamesPerSecond(seconds: number, game: () => void): { games: number; perSecond: number } {
  const warmUntil = performance.now() + (seconds * 1000) / 5
  while (performance.now() < warmUntil) game()
  const cpuFrom = process.cpuUsage()
  const until = performance.now() + seconds * 1000
  let games = 0
  for (; performance.now() < until; games++) game()
  const { user, system } = process.cpuUsage(cpuFrom)
  return { games, perSecond: (games * 1_000_000) / (user + system) }
}
