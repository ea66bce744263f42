import { useCallback, useMemo } from 'react'
import { addComponent, duplicateItem } from './core/components.ts'
import { listAt, type Path, pathOf, withItem, withMoved, withoutValue, withValue } from './core/document.ts'
import { renameStage } from './core/stages.ts'
import { nameStateId, renameState } from './core/states.ts'
import { withNewName } from './core/tables.ts'
import type { FormTools, Target } from './form/form-tools.tsx'
import { SchemaField } from './form/schema-field.tsx'
import { namesIn } from './names.ts'
import type { ProblemIndex } from './problems/problem-index.ts'
import { edited, settled, type Work } from './work.ts'

interface ToolsDeps {
  document: unknown
  /** Ids of the states that are published. */
  publishedStates: ReadonlySet<string>
  setWork: (change: (work: Work) => Work) => void
  problems: ProblemIndex
  target: Target | undefined
  onTarget: (at: string) => void
  isReadOnly: boolean
}

const withId = (document: unknown, place: Path, id: string): unknown =>
  place.length === 2 && place[0] === 'stages'
    ? renameStage(document, Number(place[1]), id)
    : renameState(document, place, id)

/** The edits that forms make, each on the newest document. */
export function useFormTools(deps: ToolsDeps): FormTools {
  const { document, publishedStates, setWork, problems, target, onTarget, isReadOnly } = deps
  const change = useCallback(
    (make: (document: unknown) => unknown, mark?: string) => setWork((work) => edited(work, make, mark)),
    [setWork],
  )
  const edits = useMemo(
    () => ({
      set: (at: string, value: unknown) =>
        change((now) => {
          const path = pathOf(now, at)
          return value === undefined ? withoutValue(now, path) : withValue(now, path, value)
        }, at),
      remove: (at: string) => change((now) => withoutValue(now, pathOf(now, at))),
      move: (list: string, from: number, to: number) =>
        change((now) => withMoved(now, pathOf(now, list), from, to)),
      duplicate: (list: string, at: number) => change((now) => duplicateItem(now, pathOf(now, list), at)),
      rename: (at: string, name: string) => change((now) => withNewName(now, pathOf(now, at), name)),
      setId: (at: string, id: string) => change((now) => withId(now, pathOf(now, at), id)),
      nameState: (at: string) =>
        change((now) => nameStateId(now, pathOf(now, at), publishedStates), `${at}/name`),
      settle: () => setWork(settled),
    }),
    [change, setWork, publishedStates],
  )
  const additions = useMemo(() => {
    const addWith = (list: string, make: (now: unknown, path: Path) => unknown) => {
      // Where it will be, if nobody else adds one at the same moment.
      const at = listAt(document, pathOf(document, list)).length
      change((now) => make(now, pathOf(now, list)))
      onTarget(`${list}/${at}`)
    }
    return {
      add: (list: string, item: unknown) =>
        addWith(list, (now, path) => withItem(now, path, listAt(now, path).length, item)),
      addComponent: (list: string, type: string) =>
        addWith(list, (now, path) => addComponent(now, path, type)),
    }
  }, [change, document, onTarget])
  const names = useMemo(() => namesIn(document), [document])
  return useMemo(
    () => ({
      Field: SchemaField,
      isReadOnly,
      languages: names.languages,
      ...edits,
      ...additions,
      findingsAt: problems.at,
      findingsWithin: problems.within,
      target,
      goTo: onTarget,
      suggestionsFor: (property: string) => names.byProperty.get(property),
    }),
    [edits, additions, problems, target, onTarget, isReadOnly, names],
  )
}
