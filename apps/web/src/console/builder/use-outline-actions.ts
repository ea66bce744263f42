import { useMemo, useRef } from 'react'
import { texts } from '../../text/console.ts'
import { listAt, pathOf, pointerOf, withMoved } from './core/document.ts'
import { addStage, deleteStage, divideIntoStages, moveState, stepOf, withoutStages } from './core/stages.ts'
import { addState, deleteState, duplicateState } from './core/states.ts'
import { firstState, type Selection } from './sections.ts'
import { edited, type Work } from './work.ts'

/** What can be done in the outline, with JSON pointers of states and of lists of states. The same object for as long as the builder is open. */
export interface OutlineActions {
  add: (list: string, at: number) => void
  duplicate: (list: string, at: number) => void
  remove: (list: string, at: number) => void
  move: (place: string, list: string, to: number) => void
  /** Up or down, over the border of a stage, too. */
  step: (place: string, by: 1 | -1) => void
  addStage: (at: number) => void
  removeStage: (at: number) => void
  moveStage: (from: number, to: number) => void
  divide: () => void
  /** What `divide` did, undone for a study with one stage. */
  join: () => void
}

/** Edits of states and stages; what is selected afterwards follows. */
export function useOutlineActions(
  document: unknown,
  setWork: (change: (work: Work) => Work) => void,
  select: (selection: Selection) => void,
): OutlineActions {
  const now = useRef(document)
  now.current = document
  return useMemo(() => {
    const change = (make: (document: unknown) => unknown) => setWork((work) => edited(work, make))
    const selectState = (list: string, at: number) => select({ kind: 'state', at: `${list}/${at}` })
    const countIn = (list: string) => listAt(now.current, pathOf(now.current, list)).length
    const move: OutlineActions['move'] = (place, list, to) => {
      change((present) => moveState(present, pathOf(present, place), pathOf(present, list), to))
      selectState(list, to)
    }
    return {
      add(list, at) {
        const { newName } = texts().builder.states
        change((present) => addState(present, pathOf(present, list), at, newName))
        selectState(list, at)
      },
      duplicate(list, at) {
        change((present) => duplicateState(present, pathOf(present, list), at))
        selectState(list, at + 1)
      },
      remove(list, at) {
        const left = countIn(list) - 1
        change((present) => deleteState(present, pathOf(present, `${list}/${at}`)))
        const [, stage] = /^\/stages\/(\d+)\//.exec(list) ?? []
        if (left > 0) selectState(list, Math.min(at, left - 1))
        else if (stage !== undefined) select({ kind: 'stage', at: Number(stage) })
        else select({ kind: 'section', id: 'basics' })
      },
      move,
      step(place, by) {
        const goal = stepOf(now.current, pathOf(now.current, place), by)
        if (goal) move(place, pointerOf(goal.list), goal.to)
      },
      addStage(at) {
        const { newName } = texts().builder.states
        change((present) => addStage(present, at, newName))
        select({ kind: 'stage', at })
      },
      removeStage(at) {
        change((present) => deleteStage(present, at))
        select({ kind: 'stage', at: Math.max(0, at - 1) })
      },
      moveStage(from, to) {
        change((present) => withMoved(present, ['stages'], from, to))
        select({ kind: 'stage', at: to })
      },
      divide() {
        change(divideIntoStages)
        select({ kind: 'stage', at: 0 })
      },
      join() {
        change(withoutStages)
        select(firstState(withoutStages(now.current)))
      },
    }
  }, [setWork, select])
}
