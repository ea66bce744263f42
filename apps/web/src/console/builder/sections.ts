import { fieldsOfStages } from '@atrium/contract'
import { isObject, listAt, pathOf, pointerOf, valueAt } from './core/document.ts'
import { hasStages, statesIn } from './core/parts.ts'

/** The parts of a definition besides its states and stages, as the outline groups them. A test keeps them complete. */
export const sections = [
  {
    id: 'basics',
    keys: [
      'name',
      'summary',
      'minutes',
      'description',
      'languages',
      'listed',
      'access',
      'capacity',
      'pacing',
      'timeLimit',
    ],
  },
  { id: 'about', keys: ['about'] },
  { id: 'appearance', keys: ['appearance'] },
  { id: 'consent', keys: ['consent', 'paradata', 'withdrawal', 'identityDays'] },
  { id: 'group', keys: ['matching', 'network', 'dropout'] },
  { id: 'roles', keys: ['roles'] },
  { id: 'conditions', keys: ['conditions', 'blocks'] },
  { id: 'tables', keys: ['tables'] },
  { id: 'variables', keys: ['variables'] },
  { id: 'global', keys: ['globalComponents'] },
  { id: 'agents', keys: ['agents', 'agentInstructions', 'agentBudget', 'disclosure'] },
  { id: 'completion', keys: ['completion'] },
  { id: 'recruiting', keys: ['recruiting'] },
  { id: 'other', keys: ['metadata'] },
] as const

export type SectionId = (typeof sections)[number]['id']

export type Selection =
  | { kind: 'section'; id: SectionId }
  | { kind: 'stage'; at: number }
  /** JSON pointer of the state. */
  | { kind: 'state'; at: string }

/** The settings of a section that a study can have. What stages say for themselves is not said above them; if it is, it can be removed. */
export function keysOf(id: SectionId, document: unknown): readonly string[] {
  const keys: readonly string[] = sections.find((section) => section.id === id)?.keys ?? []
  const own: readonly string[] = hasStages(document) ? fieldsOfStages : []
  return keys.filter((key) => !own.includes(key) || (isObject(document) && Object.hasOwn(document, key)))
}

export const sectionsIn = (document: unknown): SectionId[] =>
  sections.map(({ id }) => id).filter((id) => keysOf(id, document).length > 0)

/** What shows a place of the definition. */
export function selectionFor(pointer: string): Selection {
  const [state] = /^(\/stages\/\d+)?\/states\/\d+(?=\/|$)/.exec(pointer) ?? []
  if (state !== undefined) return { kind: 'state', at: state }
  const [, first, second] = pointer.split('/')
  if (first === 'stages') return { kind: 'stage', at: Number(second ?? 0) }
  const section = sections.find(({ keys }) => keys.some((key) => key === first))
  if (section) return { kind: 'section', id: section.id }
  return { kind: 'section', id: first === undefined || first === '' ? 'basics' : 'other' }
}

/** What is selected, or the first state where that is no longer there. */
export function selectionIn(document: unknown, selection: Selection): Selection {
  if (selection.kind === 'section') return selection
  const isThere =
    selection.kind === 'stage'
      ? selection.at < listAt(document, ['stages']).length
      : valueAt(document, pathOf(document, selection.at)) !== undefined
  return isThere ? selection : firstState(document)
}

export function firstState(document: unknown): Selection {
  const [place] = statesIn(document)
  return place ? { kind: 'state', at: pointerOf(place) } : { kind: 'section', id: 'basics' }
}
