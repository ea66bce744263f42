import { drawAnswer } from '@atrium/agent-protocol'
import { createDraws } from '@atrium/bots'
import { type ComponentView, conditionNamesOf, type Random } from '@atrium/contract'
import { agentsIn } from '../model/agents-in-room.ts'
import { compileBlueprint } from '../model/blueprint.ts'
import { nextDeadline } from '../model/deadlines.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { RoomState } from '../model/room-state.ts'
import { snapshotFor } from '../model/view.ts'
import { emptyRoom } from '../rules/opening.ts'
import { reduceRoom } from '../rules/reduce-room.ts'
import type { GoldenGame } from './golden-games.ts'
import type { GoldenRoom } from './golden-room.ts'
import { takenTurn } from './random-agents.ts'

/** How a room is played: by people who stay, by people who come and go, and one that is still running. */
export const goldenTakes = {
  calm: { unrest: 0, maxActions: 150 },
  lively: { unrest: 1, maxActions: 150 },
  unfinished: { unrest: 0.6, maxActions: 24 },
}
type Take = keyof typeof goldenTakes

const openedAt = 1_700_000_000_000

export const goldenName = ({ name }: Pick<GoldenGame, 'name'>, take: Take): string => `${name}-${take}`

/** Plays a game as people, the network, the clock and a researcher might, and returns its log. */
export function playGolden(game: GoldenGame, take: Take): GoldenRoom {
  const { definition, roles, ordinal, completing, withdrawing, watching } = game
  const { failing = 0.1, restarting, opening, unloaded } = game
  const name = goldenName(game, take)
  const { unrest, maxActions } = goldenTakes[take]
  const blueprint = compileBlueprint(definition)
  const random = createDraws(name)('play')
  const origin = { roomId: 'room_golden', experimentId: 'exp_golden', revision: 1, seed: name, ordinal }
  const log: GoldenRoom['log'] = []
  let room: RoomState = emptyRoom(origin, blueprint)
  let now = openedAt

  function apply(action: RoomAction): void {
    const reduction = reduceRoom(room, action, now, blueprint)
    if (reduction.kind !== 'applied') return
    room = reduction.room
    log.push({ at: now, action })
  }

  /** RM207: as the store would, without balance. */
  function assignConditions(): void {
    const names = conditionNamesOf(definition)
    for (const { participantId, toAssignSince } of room.seats)
      if (toAssignSince !== undefined)
        apply({ type: 'assigned', participantId, condition: oneOf(names, random) })
  }

  function pass(ms: number): void {
    const until = now + ms
    for (let due = nextDeadline(room); due !== null && due <= until; due = nextDeadline(room)) {
      now = Math.max(now, due)
      assignConditions()
      apply({ type: 'tick' })
    }
    now = until
  }

  /** Those who are due act; sometimes a researcher asks one of them, and sometimes there is no valid reply. */
  function actAsAgents(): void {
    for (const { participantId, agent } of agentsIn(room)) {
      if (random() < 0.05) apply({ type: 'prompt', participantId, by: 'urn:test researcher' })
      const how = random() < failing ? 'fallback' : 'reply'
      const action = takenTurn(room, blueprint, participantId, how, random)
      if (action && (agent.pending?.dueAt ?? now) <= now) apply(action)
    }
  }

  const isOver = (): boolean => room.status.kind === 'ended'
  const members = roles.map((role, index) => ({ participantId: `p${index + 1}`, role }))
  const connectAll = (): void => {
    for (const { participantId } of members) apply({ type: 'connected', participantId })
  }
  apply({ type: 'opened', members, agents: [], seed: name, ordinal, countsAbsence: true, ...opening })
  connectAll()
  for (let step = 0; !isOver() && step < 400 && log.length < maxActions; step++) {
    pass(Math.floor(random() * 2_500))
    if (isOver()) break
    const { participantId } = oneOf(members, random)
    if (completing !== undefined && random() < completing)
      apply({ type: 'completed', participantId, outcome: 'SUCCESS' })
    if (withdrawing !== undefined && random() < withdrawing) apply({ type: 'withdrawn', participantId })
    if (definition.agents) actAsAgents()
    if (restarting !== undefined && random() < restarting) {
      apply({ type: 'restored' })
      connectAll()
    }
    if (watching !== undefined && random() < watching) apply(drawPlayer(participantId, `s${step}`, random))
    const { state, globalComponents } = snapshotFor(room, blueprint, participantId, now)
    const shown = [...(state?.components ?? []), ...globalComponents]
    if (unloaded !== undefined && random() < unloaded)
      for (const { id: componentId } of shown)
        apply({
          type: 'cannot_answer',
          participantId,
          actionId: `u${step} ${componentId}`,
          componentId,
          reason: 'not_loaded',
        })
    apply(drawAction({ participantId, shown, actionId: `a${step}`, now, random, unrest }))
  }
  return { name, origin, definition, log, state: room }
}

interface Scene {
  participantId: string
  shown: ComponentView[]
  actionId: string
  now: number
  random: Random
  /** Probability, from 0 to 1, that people come and go and researchers intervene. */
  unrest: number
}

function drawAction(scene: Scene): RoomAction {
  const { participantId, actionId, random, unrest } = scene
  const draw = random() * (0.82 + 0.18 * unrest)
  if (draw < 0.6) return respond(scene) ?? { type: 'ready', participantId, actionId }
  if (draw < 0.74) return { type: 'ready', participantId, actionId }
  if (draw < 0.82) return say(scene)
  if (draw < 0.92) return { type: random() < 0.35 ? 'disconnected' : 'connected', participantId }
  if (draw < 0.923) return { type: 'leave', participantId, actionId, reason: 'enough' }
  if (draw < 0.935) return { type: 'restored' }
  return drawControl(participantId, random)
}

function drawPlayer(participantId: string, actionId: string, random: Random): RoomAction {
  const componentId = random() < 0.7 ? 'film' : 'music'
  const draw = random()
  if (draw < 0.6)
    return {
      type: 'playback_buffer',
      participantId,
      componentId,
      status: random() < 0.7 ? 'ready' : 'stalled',
    }
  if (draw < 0.8)
    return { type: 'sync_report', participantId, componentId, driftMs: random() * 80 - 40, rttMs: 30 }
  const command = oneOf(['play', 'pause', 'seek'] as const, random)
  const positionMs = Math.floor(random() * 20_000)
  const jump = command === 'seek' || random() < 0.1 ? { positionMs } : {}
  return { type: 'playback_command', participantId, actionId, componentId, command, ...jump }
}

function respond({ participantId, shown, actionId, now, random }: Scene): RoomAction | undefined {
  const asked = shown.filter(({ type }) => type !== 'chat')
  if (asked.length === 0) return undefined
  const component = oneOf(asked, random)
  const value = drawAnswer(component, random)
  if (value === undefined) return undefined
  return {
    type: 'submit_response',
    participantId,
    actionId,
    componentId: component.id,
    value: Array.isArray(value) ? value.slice(0, 12) : value,
    responseTime: Math.floor(random() * 4_000),
    clientTime: now - 20,
  }
}

function say({ participantId, shown, actionId, random }: Scene): RoomAction {
  const chats = shown.filter(({ type }) => type === 'chat')
  const chat = chats.length > 0 ? { componentId: oneOf(chats, random).id } : {}
  return {
    type: 'send_message',
    participantId,
    actionId,
    text: `Hello from ${actionId} – ${draw4(random)}`,
    ...chat,
  }
}

const draw4 = (random: Random): string => String(Math.floor(random() * 10_000))

function drawControl(participantId: string, random: Random): RoomAction {
  const by = 'urn:test researcher'
  const draw = random()
  if (draw < 0.3)
    return { type: 'announce', text: 'Please go on.', to: random() < 0.5 ? null : participantId, by }
  if (draw < 0.5) return { type: 'pause', reason: 'A short break', by }
  if (draw < 0.8) return { type: 'resume', by }
  if (draw < 0.95) return { type: 'advance', by }
  if (draw < 0.98) return { type: 'remove', participantId, outcome: 'TECHNICAL', by }
  return { type: 'end', reason: 'ended_by_researcher', by }
}

function oneOf<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is nothing to choose from')
  return item
}
