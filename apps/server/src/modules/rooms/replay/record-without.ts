import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RoomMoment } from '@atrium/contract'
import type { Blueprint } from '../model/blueprint.ts'
import { blankPerson, type ForgottenPerson } from '../model/forget-person.ts'
import { addWordsOf, type PersonsWords, wordsOf } from '../model/forget-words.ts'
import { actorOf, type RoomAction } from '../model/room-action.ts'
import {
  actionsPerPage,
  type ReplayableAction,
  type ReplayedAction,
  type RoomRecord,
  type RoomStore,
} from '../rooms.store.ts'
import { emptyRoom } from '../rules/opening.ts'
import {
  isCut,
  isErased,
  type KeptMoment,
  maxActions,
  maxCharacters,
  type Point,
  played,
} from './recording.ts'
import { changeBetween } from './state-changes.ts'

const cut = JSON.stringify({ isCut: true } satisfies KeptMoment)
/** Replaying must not keep the rooms that are being played waiting. */
const longestTurnMs = 10

/**
 * RM141: how a room looked after each action, without somebody, recorded while their actions are still known: the rules
 * could not derive it from the actions of the others alone. Reads as much of the log as there is at each call.
 */
export function recordWithout(
  store: Pick<RoomStore, 'actionsAfter'>,
  roomId: string,
  person: ForgottenPerson,
) {
  const rows: ReplayedAction[] = []
  const words: PersonsWords = wordsOf(person)
  let last: Point | undefined
  let shown: unknown = null
  let characters = 0
  let isLost = false
  let isFull = false

  function kept(logged: ReplayableAction, from: Point, blueprint: Blueprint): string {
    const { state, moment } = played(from.state, logged, blueprint)
    last = { number: logged.seq, at: logged.at, state }
    const after: unknown = JSON.parse(JSON.stringify(blankPerson(state, person, blueprint, words)))
    const told = moment && withoutContent(moment, JSON.parse(logged.action), person)
    const change = changeBetween(shown, after)
    shown = after
    return JSON.stringify({ change, moment: told } satisfies KeptMoment)
  }

  function add(logged: ReplayableAction, from: Point, blueprint: Blueprint): void {
    addWordsOf(words, JSON.parse(logged.action), blueprint.definition)
    isLost ||= isErased(logged) && logged.replay === null
    isFull ||= isCut(logged) || rows.length >= maxActions || characters >= maxCharacters
    const replay = isFull || isLost ? cut : kept(logged, from, blueprint)
    characters += replay.length
    rows.push({ seq: logged.seq, replay })
  }

  return {
    async extend(room: RoomRecord, blueprint: Blueprint): Promise<void> {
      const begun: Point = { number: 0, at: 0, state: emptyRoom(room, blueprint) }
      let turnBeganAt = performance.now()
      for (;;) {
        const page = await store.actionsAfter(roomId, rows.at(-1)?.seq ?? 0)
        for (const logged of page) {
          add(logged, last ?? begun, blueprint)
          if (performance.now() - turnBeganAt < longestTurnMs) continue
          await nextTurn()
          turnBeganAt = performance.now()
        }
        if (page.length < actionsPerPage) return
      }
    },
    words: () => words,
    /** Null if actions of somebody were deleted before this was recorded. */
    rows: (): ReplayedAction[] | null => (isLost ? null : rows),
  }
}

/** That they did something stays, and when; what it was goes. */
function withoutContent(
  moment: RoomMoment,
  action: RoomAction,
  { participantId }: ForgottenPerson,
): RoomMoment {
  if (actorOf(action) === participantId) return { ...moment, kind: 'erased', componentId: null, detail: null }
  const isToThem = action.type === 'announce' && action.to === participantId
  return isToThem ? { ...moment, detail: null } : moment
}
