/** The parts of a definition besides its states, as the outline groups them. A test keeps them complete. */
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

export type Selection = { kind: 'section'; id: SectionId } | { kind: 'state'; at: number }

/** What shows a place of the definition. */
export function selectionFor(pointer: string): Selection {
  const [, first, second] = pointer.split('/')
  if (first === 'states' && second !== undefined && /^\d+$/.test(second))
    return { kind: 'state', at: Number(second) }
  const section = sections.find(({ keys }) => keys.some((key) => key === first))
  if (section) return { kind: 'section', id: section.id }
  return { kind: 'section', id: first === undefined || first === '' ? 'basics' : 'other' }
}

export const isSame = (one: Selection, other: Selection): boolean =>
  one.kind === 'state'
    ? other.kind === 'state' && one.at === other.at
    : other.kind === 'section' && one.id === other.id
