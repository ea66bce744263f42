import { type Participant, type Room, RoomClosed, RoomRefused } from '@atrium/client'
import { assertNever, type ComponentView, type ParadataKind, type RoomActionName } from '@atrium/contract'
import { componentTypeOf, namesStoredFile } from '@atrium/contract/components'
import { guessCheck } from '../answers/guess-check.ts'
import type { BotLog } from '../bot-log.ts'
import { type Draws, reactionMs } from '../random.ts'
import type { Bell } from './bell.ts'
import { measuredOf } from './measured.ts'
import { type Act, type AnswersToPick, planVisit } from './plan-visit.ts'
import type { Player } from './player.ts'

export interface Table {
  room: Room
  player: Player
  uploadFile: Participant['uploadFile']
  /** Rings whenever something happens in the room. */
  bell: Bell
  log: BotLog
  draws: Draws
  speed: number
  /** What the study measures besides the answers. */
  kinds: readonly ParadataKind[]
  patienceMs: number
  /** Component → answers to pick from instead of random ones. */
  answers: AnswersToPick
  nextActionId(): string
}

/**
 * Does what the current state asks for, until that is done or the state is over. `leaveAfterActs` ends it early, while
 * one more action is on its way, which may or may not be stored.
 */
export async function playVisit(table: Table, leaveAfterActs: number | null): Promise<void> {
  const { room, bell, draws, speed, patienceMs, answers } = table
  const state = room.view?.state
  if (!room.view || !state) return
  const isOver = (): boolean => room.view?.state?.visit !== state.visit
  await table.player.begin(room.view, isOver)
  const { view } = room
  if (!view || isOver()) return
  const startedAt = performance.now()
  const acts = planVisit({ view, now: room.serverNow(), draws, speed, answers })
  for (const [index, act] of acts.entries()) {
    if (await bell.until(isOver, Math.max(0, act.dueMs - (performance.now() - startedAt)))) return
    if (index === leaveAfterActs) {
      const onItsWay = perform(table, act)
      room.close()
      await onItsWay
      return
    }
    await bell.until(() => room.view?.status !== 'paused', patienceMs)
    const isStored = await perform(table, act)
    if (act.kind === 'check' && isStored) await guessOn(table, act.component, isOver)
    if (isOver()) return
  }
}

/** Keeps guessing, told by the server which answers were wrong, until the check is passed or no attempt is left. */
async function guessOn(table: Table, component: ComponentView, isOver: () => boolean): Promise<void> {
  const { room, bell, draws, speed, patienceMs } = table
  const pace = draws(`${component.id}/pace again`)
  const tries: Try[] = []
  for (let isStored = true; isStored; ) {
    const isTold = (): boolean => tryOf(room, component.id, tries) !== undefined
    await bell.until(() => isOver() || isTold(), patienceMs)
    const last = tryOf(room, component.id, tries)
    if (isOver() || !last || last.isDone) return
    tries.push(last)
    if (await bell.until(isOver, reactionMs(componentTypeOf(component.type).simulated.usualMs, pace, speed)))
      return
    isStored = await submitGuess(table, component, tries)
  }
}

interface Try {
  answers: Record<string, unknown>
  result: Record<string, unknown>
  wrong: string[]
  isDone: boolean
}

/** The newest attempt at a check and its result, as the room shows them; undefined if it is already known. */
function tryOf({ view }: Room, componentId: string, known: readonly Try[]): Try | undefined {
  const result = view?.self.results[componentId] as Record<string, unknown> | undefined
  const response = view?.self.responses[componentId] as { answers: Record<string, unknown> } | undefined
  if (!result || !response || known.some((each) => each.result === result)) return undefined
  const wrong = Array.isArray(result.wrong) ? result.wrong.map(String) : []
  const isDone = result.passed === true || result.attemptsLeft === 0
  return { answers: response.answers, result, wrong, isDone }
}

function submitGuess(table: Table, component: ComponentView, tries: readonly Try[]): Promise<boolean> {
  const { room, draws } = table
  const state = room.view?.state
  const random = draws(`${state?.id}/${state?.visit}/${component.id}/${tries.length}`)
  return submit(table, component, guessCheck(component, tries, random))
}

function submit(
  table: Table,
  { id }: ComponentView,
  value: unknown,
  responseTime?: number,
): Promise<boolean> {
  const { room, kinds, draws } = table
  const { state } = room.view ?? {}
  const measured = measuredOf(value, kinds, draws(`${state?.id}/${state?.visit}/${id}/measured`))
  const more = {
    ...(responseTime !== undefined && { responseTime }),
    ...(Object.keys(measured).length > 0 && { paradata: measured }),
  }
  return send(table, { action: 'submit_response', componentId: id, content: value }, (actionId) =>
    room.submitResponse(id, value, { actionId, ...more }),
  )
}

/** The drawn answer; one that names a file, after that file was uploaded. */
async function withFile(
  { uploadFile }: Table,
  { component, value }: Act & { kind: 'answer' },
): Promise<unknown> {
  if (!componentTypeOf(component.type).takesFile || !namesStoredFile(value)) return value
  const { name, type } = value as { name?: string; type?: string }
  const file = new Blob(['x'.repeat(value.size)], { type: type ?? 'text/plain' })
  return { ...value, ...(await uploadFile(component.id, file, name ?? 'bot.txt')) }
}

/** Whether it is stored. */
async function perform(table: Table, act: Act): Promise<boolean> {
  const { room } = table
  switch (act.kind) {
    case 'answer':
      return await submit(table, act.component, await withFile(table, act), Math.round(act.dueMs))
    case 'check':
      return await submitGuess(table, act.component, [])
    case 'say':
      return await send(
        table,
        { action: 'send_message', componentId: act.component.id, content: act.text },
        (actionId) => room.sendMessage(act.text, act.component.id, { actionId }),
      )
    case 'ready':
      return await send(table, { action: 'ready', componentId: null, content: null }, (actionId) =>
        room.ready({ actionId }),
      )
    default:
      return assertNever(act)
  }
}

async function send(
  { room, log, nextActionId }: Table,
  what: { action: RoomActionName; componentId: string | null; content: unknown },
  act: (actionId: string) => Promise<number>,
): Promise<boolean> {
  const actionId = nextActionId()
  log.note({ kind: 'sent', actionId, stateId: room.view?.state?.id ?? '', ...what })
  try {
    log.note({ kind: 'acknowledged', actionId, seq: await act(actionId) })
    return true
  } catch (error) {
    if (error instanceof RoomRefused) log.note({ kind: 'refused', actionId, code: error.code })
    else if (error instanceof RoomClosed) log.note({ kind: 'unanswered', actionId })
    else throw error
    return false
  }
}
