import { useMemo, useRef } from 'react'
import { texts } from '../../text/console.ts'
import { listAt, withMoved } from './core/document.ts'
import { addState, deleteState, duplicateState } from './core/states.ts'
import type { Selection } from './sections.ts'
import { edited, type Work } from './work.ts'

/** What can be done with a state in the outline. The same object for as long as the builder is open. */
export interface StateActions {
  add: (at: number) => void
  duplicate: (at: number) => void
  remove: (at: number) => void
  move: (from: number, to: number) => void
}

/** Edits of the list of states; what is selected afterwards follows. */
export function useStateActions(
  document: unknown,
  setWork: (change: (work: Work) => Work) => void,
  selection: Selection,
  select: (selection: Selection) => void,
): StateActions {
  const now = useRef({ document, selection })
  now.current = { document, selection }
  return useMemo(() => {
    const change = (make: (document: unknown) => unknown) => setWork((work) => edited(work, make))
    const selectState = (at: number) => select({ kind: 'state', at })
    return {
      add(at) {
        change((present) => addState(present, at, texts().builder.states.newName))
        selectState(at)
      },
      duplicate(at) {
        change((present) => duplicateState(present, at))
        selectState(at + 1)
      },
      remove(at) {
        change((present) => deleteState(present, at))
        const left = listAt(now.current.document, ['states']).length - 1
        if (left > 0) selectState(Math.min(at, left - 1))
        else select({ kind: 'section', id: 'basics' })
      },
      move(from, to) {
        change((present) => withMoved(present, ['states'], from, to))
        selectState(to)
      },
    }
  }, [setWork, select])
}
